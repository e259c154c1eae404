import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import type { Script } from './lint-hook-file.ts'

const maxBytes = 262_144

/** Reads a script for the lint; what is not a readable file is none. */
export async function readScript(path: string): Promise<Script | undefined> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    if (!(await file.stat()).isFile()) return undefined
    const bytes = Buffer.alloc(maxBytes)
    const { bytesRead } = await file.read(bytes, 0, maxBytes, 0)
    const text = bytes.toString('utf8', 0, bytesRead)
    return { text, isExecutable: await isExecutable(path) }
  } finally {
    await file.close()
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

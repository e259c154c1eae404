import { createWriteStream } from 'node:fs'
import { open as openFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FoundStore } from '../../connect/find-store.ts'
import type { Output } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'

interface ExportOptions {
  readonly open: FoundStore['open']
  readonly output: Output
}

/** Writes a store as lines; the file is there whole, or not at all. */
export async function exportTo(
  to: string,
  { open, output }: ExportOptions,
): Promise<void> {
  const { exportStore } = await import('@hookline/agent/durable')
  const store = await open()
  const part = `${to}.part`
  let count = 0
  const lines = async function* () {
    for await (const line of exportStore(store.parts)) {
      count++
      yield line
    }
  }
  const write = async () => {
    await rm(part, { force: true })
    const target = createWriteStream(part, { flags: 'wx', mode: 0o600 })
    await pipeline(lines, target)
    await sync(part)
    await rename(part, to)
    await sync(dirname(to))
  }
  try {
    await withProgress(output, () => `${count} lines`, write())
  } finally {
    await rm(part, { force: true })
    await store.close()
  }
}

async function sync(path: string): Promise<void> {
  const handle = await openFile(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StarterFile } from './starter-files.ts'

export interface WrittenFile extends StarterFile {
  /** Nothing was written where there was something. */
  readonly isNew: boolean
}

/** Writes what is not there yet. */
export async function writeStarter(
  root: string,
  files: readonly StarterFile[],
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = []
  for (const file of files) {
    const path = join(root, file.path)
    await mkdir(dirname(path), { recursive: true })
    written.push({ ...file, isNew: await writeNew(path, file.text) })
  }
  return written
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
}

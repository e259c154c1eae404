import type { FileHandle } from 'node:fs/promises'
import type { OpenFile } from './open-file.ts'
import { OsError } from './os-error.ts'

interface Contents {
  readonly before: Buffer
  readonly after: Buffer
}

/**
 * By the same handle as it was read by: nobody can put another file there, and
 * its owner, its rights and what watches it stay. If that fails, as on a full
 * disk, what it held is put back.
 */
export async function replaceContent(
  { handle, path }: Pick<OpenFile, 'handle' | 'path'>,
  { before, after }: Contents,
): Promise<void> {
  try {
    await put(handle, after)
  } catch (cause) {
    await put(handle, before).catch((error: unknown) => {
      const message = `"${path}" could not be written, and is in part what it was and in part what it should be. Read it again.`
      throw new OsError(message, { cause: error })
    })
    const message = `"${path}" could not be written, and is as it was.`
    throw new OsError(message, { cause })
  }
}

async function put(handle: FileHandle, content: Buffer): Promise<void> {
  let written = 0
  while (written < content.length) {
    const rest = content.length - written
    const { bytesWritten } = await handle.write(content, written, rest, written)
    written += bytesWritten
  }
  await handle.truncate(content.length)
  await handle.datasync()
}

import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import type { ProblemCode } from './problem.ts'
import { maxFileBytes } from './read/limits.ts'
import { tooLarge } from './read/read-text.ts'

/** What a file held when it was read. */
export type ReadFile =
  | { readonly type: 'bytes'; readonly bytes: Buffer; readonly hash: string }
  | { readonly type: 'missing' }
  | {
      readonly type: 'problem'
      readonly code: ProblemCode
      readonly message: string
    }

export interface SettleOptions {
  /** A file that was changed so shortly before is read once more. */
  readonly settleMs: number
  readonly wait: (ms: number) => Promise<void>
}

const maxTries = 6

/**
 * Reads a file that nobody is writing just now: the half of a list of hooks
 * can be right by itself.
 */
export async function readSettled(
  file: string,
  { settleMs, wait }: SettleOptions,
): Promise<ReadFile> {
  let before: string | undefined
  for (let tries = 0; tries < maxTries; tries++) {
    const read = await readOnce(file)
    if (read.type !== 'bytes') return read
    // The clock of files is not quite ours: what is new can seem to be to come.
    const isOld = Math.abs(read.ageMs) > settleMs
    if (isOld || read.hash === before) return read
    before = read.hash
    await wait(settleMs)
  }
  const message = 'It changes all the time; it is read when that has ended.'
  return { type: 'problem', code: 'unsettled', message }
}

type Bytes = Extract<ReadFile, { type: 'bytes' }> & { readonly ageMs: number }

async function readOnce(
  file: string,
): Promise<Bytes | Exclude<ReadFile, { type: 'bytes' }>> {
  try {
    // A pipe or a device would have us wait for ever.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK
    const handle = await open(file, flags)
    try {
      return await readHandle(handle)
    } finally {
      await handle.close()
    }
  } catch (error) {
    return whyNot(error)
  }
}

async function readHandle(
  handle: FileHandle,
): Promise<Bytes | Exclude<ReadFile, { type: 'bytes' }>> {
  const stats = await handle.stat()
  if (!stats.isFile()) {
    const message = 'It is not a file; put one there or remove it.'
    return { type: 'problem', code: 'unreadable', message }
  }
  const room = Buffer.alloc(Math.min(stats.size, maxFileBytes) + 1)
  let length = 0
  for (;;) {
    const rest = room.length - length
    const { bytesRead } = await handle.read(room, length, rest, length)
    length += bytesRead
    if (bytesRead === 0 || length === room.length) break
  }
  if (length > maxFileBytes) {
    return { type: 'problem', code: 'too-large', message: tooLarge }
  }
  const bytes = room.subarray(0, length)
  const { mtimeMs } = await handle.stat()
  // One that has grown meanwhile is as young as can be.
  const ageMs = length === room.length ? 0 : Date.now() - mtimeMs
  return { type: 'bytes', bytes, hash: hash('sha256', bytes, 'hex'), ageMs }
}

/** The names in a folder; none if it is not there. */
export async function namesIn(
  folder: string,
): Promise<ReadonlySet<string> | Exclude<ReadFile, { type: 'bytes' }>> {
  try {
    return new Set(await readdir(folder))
  } catch (error) {
    return whyNot(error)
  }
}

function whyNot(error: unknown): Exclude<ReadFile, { type: 'bytes' }> {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  if (code === 'ENOENT') return { type: 'missing' }
  const message = `It cannot be read (${code}); mend that or remove it.`
  return { type: 'problem', code: 'unreadable', message }
}

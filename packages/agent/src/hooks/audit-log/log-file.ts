import { constants } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  rename,
  rm,
} from 'node:fs/promises'
import { dirname } from 'node:path'

export interface LogFileOptions {
  readonly file: string
  readonly maxBytes: number
  readonly maxFiles: number
  readonly syncs: boolean
  /** Says where lines are missing how many those are. */
  readonly lostLine: (count: number) => string
}

/** Lines in a file, in the order in which they were given. */
export interface LogFile {
  /** Settles when the line is written; rejects if it cannot be. */
  append(line: string): Promise<void>
}

interface Waiting {
  readonly line: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

// So much waits for a disk that is slow; more than that is lost, and said.
const maxWaiting = 10_000
const maxBatch = 500
// The system adds so much at once, and nothing of others comes in between.
const maxWriteBytes = 262_144

/**
 * The file is opened for each batch: so it may be moved away by others, and
 * nothing is left open. Only its owner can read it.
 */
export function createLogFile(options: LogFileOptions): LogFile {
  let waiting: Waiting[] = []
  let lost = 0
  let isWriting = false

  /** Writes some of the lines that wait, and says how many of them. */
  const writeSome = async (): Promise<number> => {
    const missing = lost
    const lines = waiting.slice(0, maxBatch).map(({ line }) => line)
    const first = missing > 0 ? [options.lostLine(missing)] : []
    const count = await writeLines(options, [...first, ...lines])
    lost -= missing
    return count - first.length
  }
  const writeAll = async () => {
    while (waiting.length > 0) {
      try {
        const count = await writeSome()
        for (const { resolve } of waiting.slice(0, count)) resolve()
        waiting = waiting.slice(count)
      } catch (error) {
        const batch = waiting.slice(0, maxBatch)
        waiting = waiting.slice(maxBatch)
        lost += batch.length
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return {
    append(line) {
      if (waiting.length >= maxWaiting) {
        lost++
        const message = `More than ${maxWaiting} entries wait to be written.`
        return Promise.reject(new Error(message))
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ line, resolve, reject })
      if (!isWriting) {
        isWriting = true
        void writeAll()
      }
      return promise
    },
  }
}

/** Writes as many of the lines as the file takes at once; at least one. */
async function writeLines(
  options: LogFileOptions,
  lines: readonly string[],
): Promise<number> {
  const { file, maxBytes, maxFiles, syncs } = options
  const size = await sizeOf(file)
  const room = maxBytes - size
  // A line that is larger than a file has one for itself.
  if (size > 0 && countFitting(lines.slice(0, 1), room) === 0) {
    await rotate(file, maxFiles)
    return writeLines(options, lines)
  }
  const fitting = countFitting(lines, Math.min(room, maxWriteBytes))
  const count = Math.max(1, fitting)
  await addTo(file, `${lines.slice(0, count).join('\n')}\n`, syncs)
  return count
}

function countFitting(lines: readonly string[], room: number): number {
  let left = room
  const tooMuch = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1
    return left < 0
  })
  return tooMuch === -1 ? lines.length : tooMuch
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await lstat(file)
    // Nothing else is moved out of the way, or written to.
    if (!found.isFile()) throw new Error(`"${file}" is no file.`)
    return found.size
  } catch (error) {
    if (Object(error).code === 'ENOENT') return 0
    throw error
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants

async function addTo(
  file: string,
  text: string,
  syncs: boolean,
): Promise<void> {
  // Nobody can have us write elsewhere by way of a link.
  const flags = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0)
  const handle = await openIn(file, flags)
  try {
    await closeToOthers(handle)
    const isCut = await endsWithinLine(handle)
    await handle.appendFile(isCut ? `\n${text}` : text)
    if (syncs) await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The system does it between two writes, never during one. */
function closeToOthers(handle: FileHandle): Promise<void> {
  return handle.chmod(0o600)
}

/**
 * Whoever wrote last did not get to the end: the disk was full, or a kill. A
 * file grows while somebody writes to it, so that one who is still at it looks
 * the same: by the time that nobody writes, their line has gone on.
 */
async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  let { size } = await handle.stat()
  while (size > 0 && (await lastByte(handle, size)) !== newline) {
    await closeToOthers(handle)
    const now = await handle.stat()
    if (now.size === size) return true
    size = now.size
  }
  return false
}

const newline = 10

async function lastByte(handle: FileHandle, size: number): Promise<number> {
  const last = new Uint8Array(1)
  await handle.read(last, 0, 1, size - 1)
  return last[0] ?? newline
}

async function openIn(file: string, flags: number) {
  try {
    return await open(file, flags, 0o600)
  } catch (error) {
    if (Object(error).code !== 'ENOENT') throw error
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return open(file, flags, 0o600)
  }
}

/** `log` becomes `log.1`, that `log.2` and so on; the oldest is removed. */
async function rotate(file: string, maxFiles: number): Promise<void> {
  if (maxFiles === 1) return await rm(file, { force: true })
  for (let at = maxFiles - 1; at >= 1; at--) {
    const from = at === 1 ? file : `${file}.${at - 1}`
    try {
      await rename(from, `${file}.${at}`)
    } catch (error) {
      if (Object(error).code !== 'ENOENT') throw error
    }
  }
}

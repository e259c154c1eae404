import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface LogFileOptions {
  readonly file: string
  readonly maxBytes: number
  readonly maxFiles: number
  readonly syncs: boolean
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

/**
 * The file is opened for each batch: so it may be moved away by others, and
 * nothing is left open. Only its owner can read it.
 */
export function createLogFile(options: LogFileOptions): LogFile {
  let waiting: Waiting[] = []
  let lost = 0
  let isWriting = false

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      try {
        const missing = lost
        const lines = batch.map(({ line }) => line)
        const first = missing > 0 ? [lostLine(missing)] : []
        await writeLines(options, [...first, ...lines])
        lost -= missing
        for (const { resolve } of batch) resolve()
      } catch (error) {
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
        void write()
      }
      return promise
    },
  }
}

/** What is missing is said where it is missing. */
function lostLine(count: number): string {
  return JSON.stringify({ event: 'audit.lost', count })
}

async function writeLines(
  { file, maxBytes, maxFiles, syncs }: LogFileOptions,
  lines: readonly string[],
): Promise<void> {
  let rest = lines
  while (rest.length > 0) {
    const size = await sizeOf(file)
    const fitting = countFitting(rest, maxBytes - size)
    // A line that is larger than a file has one for itself.
    if (fitting === 0 && size > 0) {
      await rotate(file, maxFiles)
      continue
    }
    const count = Math.max(1, fitting)
    await addTo(file, `${rest.slice(0, count).join('\n')}\n`, syncs)
    rest = rest.slice(count)
  }
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

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants

async function addTo(
  file: string,
  text: string,
  syncs: boolean,
): Promise<void> {
  // Nobody can have us write elsewhere by way of a link.
  const flags = O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0)
  const handle = await openIn(file, flags)
  try {
    await handle.chmod(0o600)
    await handle.appendFile(text)
    if (syncs) await handle.sync()
  } finally {
    await handle.close()
  }
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

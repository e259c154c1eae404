import { execFile } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The two ends of a pipe, as descriptors. */
export interface PipeEnds {
  readonly read: number
  readonly write: number
}

/**
 * Pipes, in store. What Node itself gives a child are sockets, and Linux does
 * not open those as `/dev/stdin` or `/dev/stderr`, which scripts do all the
 * time. Node cannot make a pipe; `mkfifo` can, many at once.
 */
export class PipePool {
  readonly #ready: PipeEnds[] = []
  #filling: Promise<boolean> | undefined
  #isUseless = process.platform !== 'linux'
  #isClosed = false

  /** So many pipes, or none where this machine has none to give. */
  async take(count: number): Promise<PipeEnds[] | undefined> {
    // Again and again: others may have taken what was made.
    while (this.#ready.length < count) {
      if (this.#isUseless || this.#isClosed) return undefined
      if (!(await this.#fill())) return undefined
    }
    const taken = this.#ready.splice(0, count)
    if (this.#ready.length < batch / 2) void this.#fill()
    return taken
  }

  /** Settles when nothing is being made any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const ends of this.#ready.splice(0)) closePipe(ends)
    await this.#filling
  }

  #fill(): Promise<boolean> {
    this.#filling ??= this.#make().finally(() => {
      this.#filling = undefined
    })
    return this.#filling
  }

  async #make(): Promise<boolean> {
    try {
      this.#store(await makePipes(batch))
      return true
    } catch (error) {
      // There is no `mkfifo`. Anything else may be better another time.
      const hasCode = error instanceof Error && 'code' in error
      this.#isUseless = hasCode && error.code === 'ENOENT'
      return false
    }
  }

  #store(made: readonly PipeEnds[]): void {
    if (this.#isClosed) for (const ends of made) closePipe(ends)
    else this.#ready.push(...made)
  }
}

export function closePipe({ read, write }: PipeEnds): void {
  closeSync(read)
  closeSync(write)
}

/** Enough for so many runs that making them does not count. */
const batch = 24

const run = promisify(execFile)

async function makePipes(count: number): Promise<PipeEnds[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-pipes-'))
  const paths = Array.from({ length: count }, (_, index) =>
    join(folder, String(index)),
  )
  const made: PipeEnds[] = []
  const remove = () => removeFolder(folder, paths)
  // Whoever ends in this very moment leaves no folder behind.
  process.once('exit', remove)
  try {
    await run('mkfifo', ['-m', '600', ...paths], { timeout: makeMs })
    for (const path of paths) made.push(openPipe(path))
    return made
  } catch (error) {
    for (const ends of made) closePipe(ends)
    throw error
  } finally {
    process.off('exit', remove)
    remove()
  }
}

const makeMs = 5_000

// One by one: to list a folder takes a descriptor, and there may be none left.
function removeFolder(folder: string, paths: readonly string[]): void {
  try {
    for (const path of paths) rmSync(path, { force: true })
    rmdirSync(folder)
  } catch {
    // Somebody else has put something there, or has taken it away.
  }
}

/** Opened once, and soon without a name: nobody else gets into it. */
function openPipe(path: string): PipeEnds {
  // Whoever opens one end alone waits for the other.
  const both = openSync(path, constants.O_RDWR)
  try {
    const read = openSync(path, constants.O_RDONLY)
    try {
      return { read, write: openSync(path, constants.O_WRONLY) }
    } catch (error) {
      closeSync(read)
      throw error
    }
  } finally {
    closeSync(both)
  }
}

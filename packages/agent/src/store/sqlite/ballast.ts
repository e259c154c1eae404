import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Space kept in a file beside the database. When the disk is full it is given
 * up, so that what has begun can still be ended.
 */
export class Ballast {
  readonly #file: string
  readonly #sizeBytes: number

  constructor(database: string, sizeBytes: number) {
    this.#file = `${database}-ballast`
    this.#sizeBytes = sizeBytes
  }

  /** Whether the disk has room; if so, the space is kept from now on. */
  reserve(): boolean {
    try {
      if (this.#keptBytes() >= this.#sizeBytes) return true
      if (!this.hasRoom) return false
      this.#write()
      return true
    } catch (error) {
      this.release()
      // A disk that fails otherwise is not full: then there is no reserve.
      return !isNoSpace(error)
    }
  }

  release(): void {
    try {
      rmSync(this.#file, { force: true })
    } catch {
      // What cannot be removed is no help, and no harm.
    }
  }

  #keptBytes(): number {
    if (this.#sizeBytes === 0) return 0
    return lstatSync(this.#file, { throwIfNoEntry: false })?.size ?? -1
  }

  /** For twice of it: otherwise there would be none left at once. */
  get hasRoom(): boolean {
    const { bsize, bfree, bavail } = statfsSync(dirname(this.#file))
    const free = process.getuid?.() === 0 ? bfree : bavail
    return free * bsize >= 2 * this.#sizeBytes
  }

  #write(): void {
    this.release()
    const { O_CREAT, O_EXCL, O_WRONLY } = constants
    const descriptor = openSync(this.#file, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    try {
      // A strict umask may have left its owner out.
      fchmodSync(descriptor, 0o600)
      const block = Buffer.alloc(65_536)
      let left = this.#sizeBytes
      while (left > 0) {
        left -= writeSync(descriptor, block, 0, Math.min(left, block.length))
      }
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ENOSPC' || error.code === 'EDQUOT'
}

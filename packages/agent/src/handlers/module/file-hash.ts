import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs'

export type FileState =
  | { readonly hash: string; readonly problem?: undefined }
  | {
      /** What is wrong, as the end of a sentence that begins with its name. */
      readonly problem: string
      /** There is no file there; what there is cannot be read otherwise. */
      readonly isAbsent: boolean
      readonly hash?: undefined
    }

/** A file so young may change again and look the same. */
const youngMs = 100

/**
 * The SHA-256 of a file's bytes. They are read again only where its time, size
 * or inode say that it changed, so that asking costs a few microseconds.
 */
export class FileHash {
  readonly path: string
  readonly #maxBytes: number
  #known: { readonly hash: string; readonly stamp: string } | undefined

  constructor(path: string, maxBytes = 64 * 1_048_576) {
    this.path = path
    this.#maxBytes = maxBytes
  }

  read(): FileState {
    try {
      const options = { bigint: true, throwIfNoEntry: false } as const
      const stats = statSync(this.path, options)
      if (stats === undefined) return this.#noEntry()
      if (this.#known?.stamp === stampOf(stats)) return this.#known
      // To open anything else may wait for ever.
      return stats.isFile() ? this.#readBytes() : noFile
    } catch (error) {
      this.#known = undefined
      return problemOf(error)
    }
  }

  #noEntry(): FileState {
    this.#known = undefined
    return absent
  }

  #readBytes(): FileState {
    const { O_RDONLY, O_NONBLOCK = 0 } = constants
    const file = openSync(this.path, O_RDONLY | O_NONBLOCK)
    try {
      const stats = fstatSync(file, { bigint: true })
      if (!stats.isFile()) return noFile
      if (stats.size > this.#maxBytes) {
        return { problem: 'is too large to be read', isAbsent: false }
      }
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
      const after = stampOf(fstatSync(file, { bigint: true }))
      const isYoung = Date.now() - Number(stats.ctimeMs) < youngMs
      const isSettled = !isYoung && after === stampOf(stats)
      this.#known = isSettled ? { hash, stamp: after } : undefined
      return { hash }
    } finally {
      closeSync(file)
    }
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats) {
  return [dev, ino, size, mtimeNs, ctimeNs, mode].join()
}

const noFile: FileState = { problem: 'is not a file', isAbsent: true }
const absent: FileState = { problem: 'does not exist', isAbsent: true }

function problemOf(error: unknown): FileState {
  const code = String(Object(error).code)
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') {
    return absent
  }
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const problem = isDenied ? 'may not be read' : `cannot be read (${code})`
  return { problem, isAbsent: false }
}

import { randomBytes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type FileLockOptions, withFileLock } from './file-lock.ts'
import { emptyBook, readBook, type TrustBook, writeBook } from './trust-book.ts'
import { TrustError } from './trust-error.ts'

const maxBytes = 16 * 1_048_576

/**
 * The file that says what is trusted. Only its owner can write it, which is all
 * that protects it: there is no signature, and no key to keep.
 */
export class TrustFile {
  readonly folder: string
  readonly path: string
  #known: { readonly stamp: string; readonly book: TrustBook } | undefined

  readonly #lock: FileLockOptions

  constructor(folder: string, lock: FileLockOptions = {}) {
    this.folder = folder
    this.#lock = lock
    this.path = join(folder, 'trust.json')
  }

  /** As it is now. Throws where it cannot be believed. */
  read(): TrustBook {
    checkFolder(this.folder)
    const stats = statOf(this.path)
    if (stats === undefined) return emptyBook
    if (this.#known?.stamp === stampOf(stats)) return this.#known.book
    return this.#load()
  }

  /** Changes it, alone among all processes; all of it, or nothing. */
  async change(make: (book: TrustBook) => TrustBook): Promise<void> {
    makeFolder(this.folder)
    const lock = join(this.folder, 'trust.lock')
    const work = () => {
      // What cannot be read is not written over: somebody has to look at it.
      const book = make(this.read())
      this.#known = undefined
      dropDrafts(this.folder)
      writeWhole(this.path, writeBook(book))
    }
    await withFileLock(lock, work, this.#lock)
  }

  #load(): TrustBook {
    const file = openOwn(this.path)
    try {
      const stats = fstatSync(file, { bigint: true })
      checkOwn(stats, this.path)
      if (
        !stats.isFile() ||
        stats.nlink > 1n ||
        stats.size > BigInt(maxBytes)
      ) {
        throw unsafe(this.path, 'is not one plain file of ours')
      }
      const book = readBook(readFileSync(file), this.path)
      this.#known = { stamp: stampOf(stats), book }
      return book
    } finally {
      closeSync(file)
    }
  }
}

function openOwn(path: string): number {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const isLink = Object(error).code === 'ELOOP'
    throw unsafe(path, isLink ? 'is a link' : 'cannot be read', error)
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    throw unsafe(path, 'cannot be looked at', error)
  }
}

function checkFolder(folder: string): void {
  const stats = statOf(folder)
  if (stats === undefined) return
  if (!stats.isDirectory()) throw unsafe(folder, 'is not a folder')
  checkOwn(stats, folder)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const message = `"${folder}" cannot be made; check who owns its parent.`
    throw new TrustError('unwritable-store', message, error)
  }
  checkFolder(folder)
}

function checkOwn({ uid, mode }: BigIntStats, path: string): void {
  // Windows has neither; there the folder of the user has to do.
  const self = process.getuid?.()
  if (self === undefined) return
  if (uid !== BigInt(self)) throw unsafe(path, 'belongs to somebody else')
  if ((mode & 0o022n) !== 0n) throw unsafe(path, 'can be written by others')
}

function unsafe(path: string, problem: string, cause?: unknown): TrustError {
  const message = `"${path}" ${problem}, so that nothing is trusted; look at it, and move it away to begin anew.`
  return new TrustError('unsafe-store', message, cause)
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join()
}

function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
    syncFolder(path)
  } catch (error) {
    rmSync(draft, { force: true })
    const message = `"${path}" could not be written, and is as it was.`
    throw new TrustError('unwritable-store', message, error)
  }
}

/** Those of processes that were ended; whoever has the lock is alone. */
function dropDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^trust\.json\.\d+\.\w+$/.test(name)) rmSync(join(folder, name))
  }
}

function syncFolder(path: string): void {
  // A folder cannot be opened on Windows, and need not be.
  if (process.platform === 'win32') return
  const folder = openSync(join(path, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

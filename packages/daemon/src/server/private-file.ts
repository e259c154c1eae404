import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { HomeError } from './home-error.ts'
import { checkPrivateFile, unsafe } from './private-folder.ts'

const maxBytes = 4 * 1_048_576

/** The text of a file that is ours alone; undefined if there is none. */
export function readPrivateFile(path: string): string | undefined {
  const file = openOwn(path)
  if (file === undefined) return undefined
  try {
    const stats = fstatSync(file)
    checkPrivateFile(stats, path)
    if (stats.size > maxBytes) throw unsafe(path, 'is too large')
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function openOwn(path: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { code } = Object(error)
    if (code === 'ENOENT') return undefined
    if (code === 'ELOOP') throw unsafe(path, 'is a link', error)
    throw unsafe(path, 'cannot be read', error)
  }
}

/** Writes a file that must not be there yet. */
export function createPrivateFile(path: string, text: string): void {
  try {
    writeNew(path, text)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Replaces a file whole: whoever reads finds the old text or the new one. */
export function replacePrivateFile(path: string, text: string): void {
  // Only here: whoever just reads a token need not wait until it is loaded.
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    writeNew(draft, text)
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(draft, { force: true })
    throw unwritable(path, error)
  }
}

function writeNew(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function unwritable(path: string, cause: unknown): HomeError {
  const isFull = Object(cause).code === 'ENOSPC'
  const what = isFull ? 'make room on its disk' : 'check who owns its folder'
  const message = `"${path}" cannot be written; ${what}, and try again.`
  return new HomeError('unwritable-home', message, { cause })
}

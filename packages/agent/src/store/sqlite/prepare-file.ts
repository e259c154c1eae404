import { constants, lstatSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refuseHalfMoved } from '../backup/move-aside.ts'
import { StoreError } from '../store-error.ts'

/**
 * Makes the file for its owner only, or refuses one that others can read or
 * change. Never opens a file that exists: closing it again would take SQLite's
 * own locks away from this process.
 */
export async function prepareFile(file: string): Promise<void> {
  refuseHalfMoved(file)
  if (!checkFile(file)) await createFile(file)
  for (const end of ['-wal', '-shm', '-ballast']) checkFile(file + end)
}

/** Refuses a folder in which everybody could put another file in its place. */
export function checkFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() !== true) {
    throw new StoreError(
      'invalid-options',
      `There is no folder "${folder}" for the database file; make it first.`,
    )
  }
  const isOpenToAll = (found.mode & 0o002) !== 0 && (found.mode & 0o1000) === 0
  if (process.platform === 'win32' || !isOpenToAll) return
  throw unsafe(folder, 'is writable by everybody', `chmod o-w ${folder}`)
}

/** Whether it is there. */
function checkFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isFile()) {
    throw unsafe(file, 'is a link or no file', 'give the path of a plain file')
  }
  if (process.platform === 'win32') return true
  if (found.uid !== process.getuid?.()) {
    throw unsafe(
      file,
      'belongs to another user',
      `chown it, or run as its user`,
    )
  }
  if ((found.mode & 0o077) !== 0) {
    throw unsafe(file, 'is open to other users', `chmod 600 ${file}`)
  }
  return true
}

async function createFile(file: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW } = constants
  let handle: FileHandle
  try {
    handle = await open(file, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, 0o600)
  } catch (error) {
    // Another process was faster; its file is looked at like any other.
    if (codeOf(error) === 'EEXIST' && checkFile(file)) return
    throw cannotMake(file, error)
  }
  try {
    // A strict umask may have left its owner out.
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(file))
}

/** A new file is safe only when its name is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unsafe(path: string, what: string, todo: string): StoreError {
  const message = `"${path}" ${what}, and it holds what only its user may read: ${todo}.`
  return new StoreError('unsafe-file', message)
}

function cannotMake(file: string, error: unknown): StoreError {
  const code = codeOf(error)
  const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'unavailable'
  const message = `The database file "${file}" could not be made (${code}). Look at its folder and the disk.`
  return new StoreError(kind, message, error)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

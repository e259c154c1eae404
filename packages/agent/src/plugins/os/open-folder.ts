import { constants } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open,
  readlink,
  realpath,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Confinement, isInside } from './confine.ts'
import { OsError, systemCode } from './os-error.ts'

const { O_DIRECTORY, O_NOFOLLOW } = constants
/** Where the system shows open files under their numbers. */
const openFiles = process.platform === 'linux' ? '/proc/self/fd' : undefined

/**
 * An open folder that is inside the roots. What is done through it stays in
 * it, whatever becomes of its path meanwhile.
 */
export class OpenFolder {
  readonly path: string
  readonly #handle: FileHandle

  constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  /** A path to something in it that no swapped link can lead astray. */
  at(name: string): string {
    if (openFiles === undefined) return join(this.path, name)
    return join(openFiles, String(this.#handle.fd), name)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** Opens a folder, if it really is inside the roots. */
export async function openFolder(
  confinement: Confinement,
  path: string,
): Promise<OpenFolder> {
  const real = await realpath(path).catch((error: unknown) => {
    throw notThere(path, error)
  })
  if (!isInside(confinement, real)) throw outside(path)
  const handle = await open(real, O_DIRECTORY | O_NOFOLLOW).catch(
    (error: unknown) => {
      throw notThere(path, error)
    },
  )
  return checkedFolder(confinement, handle, real)
}

/** It may have been swapped since it was looked up. */
async function checkedFolder(
  confinement: Confinement,
  handle: FileHandle,
  path: string,
): Promise<OpenFolder> {
  const opened = await realOf(handle, path)
  if (isInside(confinement, opened)) return new OpenFolder(opened, handle)
  await handle.close()
  throw outside(path)
}

/** Makes what is missing on the way, one folder after the other, inside. */
export async function makeFolders(
  confinement: Confinement,
  path: string,
  beforeFirst: () => void,
): Promise<void> {
  const missing: string[] = []
  let folder = await existingFolder(confinement, path, missing)
  try {
    if (missing.length > 0) beforeFirst()
    for (const name of missing.reverse()) {
      const next = await makeFolder(confinement, folder, name)
      await folder.close()
      folder = next
    }
  } finally {
    await folder.close()
  }
}

/** The deepest folder on the way that is there; what lacks is noted. */
async function existingFolder(
  confinement: Confinement,
  path: string,
  missing: string[],
): Promise<OpenFolder> {
  let here = path
  for (;;) {
    try {
      return await openFolder(confinement, here)
    } catch (error) {
      if (!(error instanceof MissingError)) throw error
      missing.push(basename(here))
      here = dirname(here)
    }
  }
}

async function makeFolder(
  confinement: Confinement,
  above: OpenFolder,
  name: string,
): Promise<OpenFolder> {
  const path = join(above.path, name)
  try {
    await mkdir(above.at(name)).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error
    })
    const handle = await open(above.at(name), O_DIRECTORY | O_NOFOLLOW)
    return await checkedFolder(confinement, handle, path)
  } catch (error) {
    throw notThere(path, error)
  }
}

/** The real path of what a handle is open on. */
async function realOf(handle: FileHandle, path: string): Promise<string> {
  if (openFiles === undefined) return realpath(path)
  return readlink(join(openFiles, String(handle.fd)))
}

/** What is asked for is not there. */
class MissingError extends OsError {}

/** Why something cannot be opened, in words for the model. */
export function notThere(path: string, error: unknown): Error {
  switch (systemCode(error)) {
    case 'ENOENT':
      return new MissingError(`There is no "${path}".`)
    case 'ENOTDIR':
      return new OsError(`"${path}" leads through what is no folder.`)
    case 'EISDIR':
      return new OsError(`"${path}" is a folder.`)
    case 'EACCES':
    case 'EPERM':
      return new OsError(`"${path}" may not be opened.`)
    case 'ELOOP':
      return new OsError(`"${path}" was replaced by a link meanwhile.`)
    default:
      return error instanceof OsError
        ? error
        : new OsError(`"${path}" cannot be opened.`)
  }
}

export function outside(path: string): OsError {
  return new OsError(`"${path}" is outside of the folders you may use.`)
}

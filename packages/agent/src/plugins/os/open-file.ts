import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { absolutePath, type Confinement, isInside } from './confine.ts'
import {
  makeFolders,
  notThere,
  type OpenFolder,
  openFolder,
  outside,
} from './open-folder.ts'
import { OsError, systemCode } from './os-error.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants
const maxLinks = 16

/** A file that was opened: where it really is, and the handle. */
export interface OpenFile {
  readonly path: string
  /** All the names that led to it, its own included. */
  readonly names: readonly string[]
  readonly handle: FileHandle
  /** Not there before: it was made by opening it. */
  readonly isNew: boolean
}

export interface OpenFileOptions {
  /** Flags of the system's `open`. */
  readonly flags: number
  /** May be opened under this name, or says why not; asked for every name. */
  readonly check?: (path: string) => void
  /** The same for what is not there yet, before anything is made for it. */
  readonly checkNew?: (names: readonly string[]) => void
  /** Makes folders on the way to it. */
  readonly makeFolders?: boolean
}

/** Opens a regular file, following links only as long as they stay inside. */
export async function openFile(
  confinement: Confinement,
  path: string,
  options: OpenFileOptions,
): Promise<OpenFile> {
  let target = absolutePath(confinement, path)
  if (options.makeFolders) {
    // By its name alone, so that nothing is made for what is refused.
    options.check?.(target)
    const file = target
    await makeFolders(confinement, dirname(file), () =>
      options.checkNew?.([file]),
    )
  }
  const names: string[] = []
  for (let links = 0; links < maxLinks; links++) {
    options.check?.(target)
    names.push(target)
    const folder = await openFolder(confinement, dirname(target))
    try {
      const name = basename(target)
      const real = join(folder.path, name)
      const link = await linkAt(folder, name)
      if (link !== undefined) {
        target = resolve(folder.path, link)
        continue
      }
      // Its folder is, but it may be hidden itself.
      if (!isInside(confinement, real)) throw outside(path)
      options.check?.(real)
      names.push(real)
      return await openAt(folder, name, { ...options, names })
    } finally {
      await folder.close()
    }
  }
  throw new OsError(`"${path}" leads through too many links.`)
}

async function linkAt(folder: OpenFolder, name: string) {
  try {
    return await readlink(folder.at(name))
  } catch {
    // No link, or nothing at all.
    return undefined
  }
}

async function openAt(
  folder: OpenFolder,
  name: string,
  { flags, checkNew, names }: OpenFileOptions & Pick<OpenFile, 'names'>,
): Promise<OpenFile> {
  const path = join(folder.path, name)
  const isMade = (flags & O_CREAT) !== 0
  // A pipe or a device would keep us waiting.
  const safe = (flags & ~O_CREAT) | O_NOFOLLOW | O_NONBLOCK
  let handle: FileHandle | undefined
  let isNew = false
  try {
    try {
      handle = await open(folder.at(name), safe)
    } catch (error) {
      if (!isMade || systemCode(error) !== 'ENOENT') throw error
      checkNew?.(names)
      handle = await open(folder.at(name), safe | O_CREAT | O_EXCL)
      isNew = true
    }
    checkFile(path, await handle.stat(), flags)
    return { path, names, handle, isNew }
  } catch (error) {
    await handle?.close()
    throw notThere(path, error)
  }
}

function checkFile(path: string, stat: Stats, flags: number): void {
  if (!stat.isFile()) throw new OsError(`"${path}" is no regular file.`)
  // Under another name it may be outside, or protected.
  if (stat.nlink <= 1 || (flags & O_RDWR) === 0) return
  throw new OsError(
    `"${path}" has other names, which nobody knows; it is not changed.`,
  )
}

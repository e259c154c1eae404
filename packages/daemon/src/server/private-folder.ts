import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { HomeError } from './home-error.ts'

/** Makes a folder that only its owner can enter, or checks that it is one. */
export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    // A link that leads nowhere is in the way, too.
    if (lookAt(folder)?.isSymbolicLink()) throw unsafe(folder, 'is a link')
    const message = `"${folder}" cannot be made; check who owns its parent, or set HOOKLINE_HOME to another folder.`
    throw new HomeError('unwritable-home', message, { cause: error })
  }
  checkPrivateFolder(folder)
}

/**
 * Throws if others could read or change what is in a folder, or put another
 * one in its place.
 */
export function checkPrivateFolder(folder: string): void {
  const stats = lookAt(folder)
  if (stats === undefined) throw unsafe(folder, 'is not there')
  if (stats.isSymbolicLink()) throw unsafe(folder, 'is a link')
  if (!stats.isDirectory()) throw unsafe(folder, 'is not a folder')
  checkOwner(stats, folder)
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw unsafe(folder, 'is open to others (run chmod 700 on it)')
  }
  checkWay(dirname(folder))
}

/** Throws unless it is a plain file of ours that others cannot read. */
export function checkPrivateFile(stats: Stats, path: string): void {
  if (!stats.isFile() || stats.nlink > 1) {
    throw unsafe(path, 'is not one plain file')
  }
  checkOwner(stats, path)
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw unsafe(path, 'is open to others (run chmod 600 on it)')
  }
}

/** Absent: Windows has no such owners; the folder of the user has to do. */
export function isOwn(stats: Stats): boolean {
  const self = process.getuid?.()
  return self === undefined || stats.uid === self
}

export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A parent that is a file: there is nothing below it.
    if (Object(error).code === 'ENOTDIR') return undefined
    throw unsafe(path, 'cannot be looked at', error)
  }
}

function checkOwner(stats: Stats, path: string): void {
  if (!isOwn(stats)) throw unsafe(path, 'belongs to somebody else')
}

/** Whoever can write to a parent can replace what is in it. */
function checkWay(folder: string): void {
  if (process.platform === 'win32') return
  for (const step of stepsOf(folder)) {
    const stats = lookAt(step)
    if (stats?.isSymbolicLink() && !isOursOrRoots(stats)) {
      throw unsafe(step, 'is a link of somebody else')
    }
  }
  for (const step of stepsOf(realpathSync(folder))) {
    const stats = lookAt(step)
    if (stats === undefined) throw unsafe(step, 'is not there')
    if (!isOursOrRoots(stats)) throw unsafe(step, 'belongs to somebody else')
    if (canOthersReplaceIn(stats))
      throw unsafe(step, 'can be written by others')
  }
}

function stepsOf(folder: string): string[] {
  const steps = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    steps.push(dirname(at))
  }
  return steps
}

function isOursOrRoots(stats: Stats): boolean {
  return stats.uid === 0 || isOwn(stats)
}

function canOthersReplaceIn({ mode, gid }: Stats): boolean {
  // In a sticky folder, as /tmp is one, everybody can only remove their own.
  if ((mode & 0o1000) !== 0) return false
  // Many systems give every user a group of their own.
  const isGroupOthers = gid !== process.getgid?.()
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && isGroupOthers)
}

export function unsafe(
  path: string,
  problem: string,
  cause?: unknown,
): HomeError {
  const message = `"${path}" ${problem}, so that it is not used; put that right, or set HOOKLINE_HOME to another folder.`
  return new HomeError('unsafe-home', message, { cause })
}

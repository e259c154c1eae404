import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

const maxLength = 4_096

/**
 * All that a path can mean: as it is written, and where it leads through
 * links, `..` taken from the text or from the folder a link leads to. None:
 * that cannot be told.
 */
export async function meaningsOf(
  given: unknown,
  cwd: string | undefined,
): Promise<readonly string[]> {
  if (typeof given !== 'string') return []
  const text = given.replace(/^file:\/\/(?=\/)/, '')
  const isOdd = text === '' || text.length > maxLength || text.includes('\0')
  if (isOdd || /^[a-z][\w+.-]+:\/\/|^file:/i.test(text)) return []
  // What it is once it is decoded is up to the tool.
  if (text !== given && text.includes('%')) return []
  // Whether a name like ~bob is one of a home is up to the tool.
  if (/^~[^/]/.test(text)) return []
  const path = atHome(text)
  const base = baseOf(path, cwd)
  if (base === undefined) return []
  const written = resolve(base, path)
  const real = await realOf(written)
  if (real === undefined) return []
  // Only `..` can lead elsewhere by the folders than by the text.
  const goesUp = path.split(sep).includes('..')
  const walked = goesUp ? await walk(base, path) : real
  if (walked === undefined) return []
  return [...new Set([written, real, walked])]
}

/** As the system goes: `..` is above where a link has led. */
async function walk(base: string, path: string): Promise<string | undefined> {
  let here = await realOf(base)
  for (const part of path.split(sep)) {
    if (here === undefined) return undefined
    if (part === '' || part === '.') continue
    here = part === '..' ? dirname(here) : await realOf(join(here, part))
  }
  return here
}

/** The real path of what is there, with the names of what is not. */
async function realOf(path: string): Promise<string | undefined> {
  const missing: string[] = []
  let here = path
  for (;;) {
    try {
      return join(await realpath(here), ...missing)
    } catch (error) {
      const code: unknown = Object(error).code
      // A loop of links, or a folder nobody may look into: not known.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return undefined
      // A link that leads to nothing yet: what is written there appears.
      const stat = await lstat(here).catch(() => undefined)
      if (stat?.isSymbolicLink() || dirname(here) === here) return undefined
      missing.unshift(basename(here))
      here = dirname(here)
    }
  }
}

export function isWithin(folder: string, path: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep
  return path === folder || path.startsWith(start)
}

/**
 * Folders as they are written, and as they really are; without those of which
 * that cannot be told.
 */
export async function realFolders(
  folders: readonly string[],
  cwd: string | undefined,
): Promise<readonly string[]> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const path = atHome(folder)
      const base = baseOf(path, cwd)
      if (base === undefined) return []
      const written = resolve(base, path)
      const real = await realpath(written).catch(() => undefined)
      return real === undefined ? [written] : [written, real]
    }),
  )
  return all.flat()
}

/** Whether it can be told which folder is meant. */
export function isTold(folder: string, cwd: string | undefined): boolean {
  return baseOf(atHome(folder), cwd) !== undefined
}

function atHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir())
}

/** What a path is from. A session without a folder is not in this process's. */
function baseOf(path: string, cwd: string | undefined): string | undefined {
  if (isAbsolute(path)) return sep
  return cwd !== undefined && isAbsolute(cwd) ? cwd : undefined
}

import { intersectCovers, widest } from './covers.ts'

// The longest path that Linux takes; it also bounds the work on one.
const longestPath = 4_096

/** Reads a list of folders; undefined where an entry is no path. */
export function readRoots(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const roots: string[] = []
  for (const entry of value) {
    const root = normalisePath(entry)
    if (root === undefined) return undefined
    roots.push(root)
  }
  return widest(roots, folderAbove)
}

/** What lies within both. An absolute and a relative folder have no relation. */
export function intersectRoots(
  one: readonly string[],
  other: readonly string[],
): readonly string[] {
  return intersectCovers([one, other], folderAbove)
}

/** The same folders, with relative ones seen from a working folder. */
export function anchorRoots(
  roots: readonly string[],
  cwd: string,
): readonly string[] {
  const anchored = roots.map((root) =>
    root.startsWith('/') ? root : `${cwd}/${root}`,
  )
  // Too long to be a path: it can be left out, as that only narrows.
  return widest(
    anchored.flatMap((root) => normalisePath(root) ?? []),
    folderAbove,
  )
}

/** A POSIX path without detours, by its text alone: no link is followed. */
function normalisePath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined
  if (path.length > longestPath || path.includes('\0')) return undefined
  const isAbsolute = path.startsWith('/')
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push(part)
  }
  const joined = kept.join('/')
  return isAbsolute ? `/${joined}` : joined || '.'
}

// What is above `..` has no name that text alone can compare.
function folderAbove(path: string): string | undefined {
  if (path === '/' || path === '.') return undefined
  if (path === '..' || path.endsWith('/..')) return undefined
  const slash = path.lastIndexOf('/')
  if (slash > 0) return path.slice(0, slash)
  return slash === 0 ? '/' : '.'
}

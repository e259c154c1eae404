import type { Folder } from './shell-state.ts'
import { plainPath } from './word-classes.ts'

/** Longer ones are not followed. */
const maxPath = 300

/** The folder that a path leads to from another one. */
export function folderBelow(folder: Folder, path: string): Folder {
  const isWhole = /^[/~]/.test(path)
  if (folder === 'unknown' && !isWhole) return 'unknown'
  const base = typeof folder === 'object' ? `${folder.path}/` : ''
  const plain = plainPath(isWhole ? path : base + path)
  if (plain.length > maxPath) return 'unknown'
  return { path: plain }
}

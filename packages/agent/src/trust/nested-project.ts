import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside } from './is-inside.ts'

/** Where hooks of a project may be kept; no project of its own. */
const ownFolder = '.hookline'

/** What makes a folder a project of its own. */
const marks = [
  '.git',
  ownFolder,
  ...['json', 'yaml', 'yml', 'toml', 'ts', 'js'].map(
    (ending) => `hookline.config.${ending}`,
  ),
]

/**
 * The project within a project that a path belongs to, if there is one: a
 * folder on the way to it that is a repository, or has a config of its own.
 * What is said of the outer one does not hold for it. Both without links.
 */
export function nestedProject(
  path: string,
  project: string,
): string | undefined {
  if (!isInside(path, project)) return undefined
  for (let at = path; at !== project; at = dirname(at)) {
    if (basename(at) === ownFolder) continue
    if (marks.some((mark) => exists(join(at, mark)))) return at
  }
  return undefined
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Nobody can say that there is none.
    return true
  }
}

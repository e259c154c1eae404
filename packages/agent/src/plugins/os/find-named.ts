import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OsError } from './os-error.ts'

interface FindLimits {
  /** Of files and folders that are looked at; default 200 000. */
  readonly maxEntries?: number
  /** Default 1 000. */
  readonly maxFound?: number
}

/** What packages bring is theirs: it is run anyhow, and there is much of it. */
const packages = 'node_modules'
const atOnce = 32

/**
 * Everything below folders whose name is wanted. Nothing is looked for within
 * that, nor behind links. Where there is too much to look at, it throws: what
 * nobody has seen nobody can guard.
 */
export async function findNamed(
  roots: readonly string[],
  isWanted: (name: string) => boolean,
  { maxEntries = 200_000, maxFound = 1_000 }: FindLimits = {},
): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = [...roots]
  let entries = 0
  while (waiting.length > 0) {
    const folders = waiting.splice(-atOnce)
    const listed = await Promise.all(folders.map(listFolder))
    for (const [index, list] of listed.entries()) {
      entries += list.length
      for (const entry of list) {
        const path = join(folders[index] ?? '', entry.name)
        if (isWanted(entry.name)) found.push(path)
        else if (entry.isDirectory() && entry.name !== packages) {
          waiting.push(path)
        }
      }
    }
    if (entries > maxEntries) throw tooMany('files to be guarded')
    if (found.length > maxFound) throw tooMany('protected files')
  }
  return found
}

async function listFolder(path: string) {
  // Gone meanwhile, or not ours to read.
  return await readdir(path, { withFileTypes: true }).catch(() => [])
}

function tooMany(what: string): OsError {
  return new OsError(
    `There are too many ${what} in the folders of this command; it does not run in a sandbox that lets it write to them. Work in a smaller folder.`,
  )
}

import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { absolutePath, type Confinement, isInside } from './confine.ts'
import { openFolder } from './open-folder.ts'

/** A file below a folder, by both of its names. */
export interface FoundFile {
  readonly path: string
  /** From the folder that was searched. */
  readonly name: string
}

const skipped = new Set(['.git', '.hg', '.svn', 'node_modules'])
const maxEntries = 200_000

/** Regular files below a folder, in the order of their names; links are not followed. */
export async function* walkFiles(
  confinement: Confinement,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<FoundFile> {
  const folder = await openFolder(confinement, absolutePath(confinement, from))
  const start = folder.path
  await folder.close()
  const waiting = [start]
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted()
    const listed = await listFolder(confinement, next)
    entries += listed.length
    if (entries > maxEntries) return
    const below: string[] = []
    for (const entry of listed) {
      const path = join(next, entry.name)
      if (!isInside(confinement, path)) continue
      if (entry.isFile()) yield { path, name: relative(start, path) }
      else if (entry.isDirectory() && !skipped.has(entry.name)) below.push(path)
    }
    waiting.push(...below.reverse())
  }
}

async function listFolder(confinement: Confinement, path: string) {
  try {
    const folder = await openFolder(confinement, path)
    try {
      const listed = await readdir(folder.at('.'), { withFileTypes: true })
      return listed.sort((a, b) => (a.name < b.name ? -1 : 1))
    } finally {
      await folder.close()
    }
  } catch {
    // Gone meanwhile, or not ours to read.
    return []
  }
}

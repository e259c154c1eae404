import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const maxBytes = 1_048_576
const isCode = /\.[cm]?[jt]sx?$/i
const relativePath = /(['"`])(\.{1,2}\/[^'"`\n?#]+)[^'"`\n]*\1/g

/**
 * The files that a file of code may import from beside it: every relative path
 * that stands in quotes. More of them than there are do no harm.
 */
export function importsOf(path: string): readonly string[] {
  if (!isCode.test(path)) return []
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isFile() !== true || stats.size > maxBytes) return []
    const found = readFileSync(path, 'utf8').matchAll(relativePath)
    const folder = dirname(path)
    return [...new Set([...found].map(([, , to = '']) => resolve(folder, to)))]
  } catch {
    // It cannot be read, which is told elsewhere.
    return []
  }
}

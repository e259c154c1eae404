import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const maxBytes = 1_048_576
/** What has no ending is code to whoever requires it. */
const isCode = /(?:\.[cm]?[jt]sx?|[/\\][^./\\]+)$/i
// A line that never ends costs no more than its length.
const quoted = /(['"`])(\.{1,2}\/[^'"`\n?#]{1,4096})(?:[?#][^'"`\n]*)?\1/g
const imported =
  /\b(?:from|import|require(?:\.resolve)?)\s{0,99}\(?\s{0,99}(['"`])(\.{1,2}(?:\/[^'"`\n?#]{0,4096})?)(?:[?#][^'"`\n]*)?\1/g

/**
 * The files that a file of code may load from beside it: what every relative
 * path that stands in quotes leads to, whether there is such a file or not. More
 * of them than there are do no harm.
 */
export function importsOf(path: string): readonly string[] {
  return pathsIn(path, [quoted, imported])
}

/** Those that it imports for sure; files of data that it names are left out. */
export function importedBy(path: string): readonly string[] {
  return pathsIn(path, [imported])
}

function pathsIn(path: string, forms: readonly RegExp[]): readonly string[] {
  const isPackage = basename(path) === 'package.json'
  if (!isPackage && !isCode.test(path)) return []
  const text = textOf(path)
  const written = isPackage
    ? mainOf(text)
    : forms.flatMap((form) =>
        [...text.matchAll(form)].map(([, , to = '']) => to),
      )
  const folder = dirname(path)
  // Whatever stands there, it is not of another machine.
  const named = new Set(written.map((to) => resolve(join(folder, to))))
  return [...new Set([...named].flatMap(leadsTo))]
}

const endings = ['js', 'cjs', 'mjs', 'json', 'node', 'ts', 'cts', 'mts', 'tsx']

/** All that Node, and programs that run TypeScript, may take for a path. */
export function leadsTo(path: string): readonly string[] {
  const typed = path.replace(/\.([cm]?)js(x?)$/i, '.$1ts$2')
  const paths = typed === path ? [path] : [path, typed]
  if (isFile(path)) return paths
  const withEnding = (start: string) => endings.map((end) => `${start}.${end}`)
  const index = withEnding(join(path, 'index'))
  return [...paths, ...withEnding(path), join(path, 'package.json'), ...index]
}

/** What a folder is where it is required. */
function mainOf(text: string): readonly string[] {
  try {
    const main: unknown = Object(JSON.parse(text)).main
    return typeof main === 'string' ? [main] : []
  } catch {
    // It is no package then, and Node says so.
    return []
  }
}

function textOf(path: string): string {
  try {
    const isSmall = isFile(path) && statSync(path).size <= maxBytes
    return isSmall ? readFileSync(path, 'utf8') : ''
  } catch {
    // It cannot be read, which is told elsewhere.
    return ''
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}

import { basename, dirname, join, resolve } from 'node:path'

/** A file of code, and what stands in it. */
export interface Code {
  readonly path: string
  readonly text: string
}

// A line that never ends costs no more than its length.
const quoted = /(['"`])(\.{1,2}\/[^'"`\n?#]{1,4096})(?:[?#][^'"`\n]*)?\1/g
const imported =
  /\b(?:from|import|require(?:\.resolve)?)\s{0,99}(?:\(\s{0,99})?(['"`])(\.{1,2}(?:\/[^'"`\n?#]{0,4096})?)(?:[?#][^'"`\n]*)?\1/g

/**
 * What a file of code may load from beside it: every relative path that stands
 * in quotes, as it is named there. More of them than there are do no harm.
 */
export function importsOf(code: Code): Iterable<string> {
  return namesIn(code, [quoted, imported])
}

/** Those that it imports for sure; files of data that it names are left out. */
export function importedBy(code: Code): Iterable<string> {
  return namesIn(code, [imported])
}

/** Whoever has enough need not wait for the others. */
function* namesIn(
  { path, text }: Code,
  forms: readonly RegExp[],
): Generator<string> {
  const folder = dirname(path)
  const isPackage = basename(path) === 'package.json'
  const known = new Set<string>()
  for (const to of isPackage ? mainOf(text) : writtenIn(text, forms)) {
    if (known.has(to)) continue
    known.add(to)
    // Whatever stands there, it is not of another machine.
    yield resolve(join(folder, to))
  }
}

function* writtenIn(text: string, forms: readonly RegExp[]): Generator<string> {
  for (const form of forms) {
    for (const [, , to = ''] of text.matchAll(form)) yield to
  }
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

import type { Place } from './node.ts'

/** The first place of a stack that is in a file. */
export function placeInStack(
  stack: string | undefined,
  url: string,
): Place | undefined {
  const after = stack?.split(`${url}:`, 2)[1]
  const [, line, column = '1'] = /^(\d+)(?::(\d+))?/.exec(after ?? '') ?? []
  if (line === undefined) return undefined
  return { line: Number(line), column: Number(column) }
}

/** Beside this file in the sources, an entry of its own in the built package. */
export function besideCode(name: string, here: string): URL {
  if (here.endsWith('.ts')) return new URL(`./${name}.ts`, here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/config/${name}.js`)
}

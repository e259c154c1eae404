import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

const endings = [
  ...['js', 'cjs', 'mjs', 'json', 'node'],
  ...['ts', 'cts', 'mts', 'tsx', 'jsx'],
]

/**
 * All that Node, and programs that run TypeScript, may take for a path. They
 * differ in what they prefer, so that all of it counts, there or not: what is
 * put there later may be loaded in place of what is there now.
 */
export function leadsTo(path: string): readonly string[] {
  const paths = [path, ...typedOf(path)]
  const stats = statsOf(path)
  if (stats !== 'absent' && stats?.isFile()) return paths
  paths.push(...withEndings(path))
  // Below what is not there is nothing; that it came is seen at its own path.
  if (stats === 'absent') return paths
  const index = withEndings(join(path, 'index'))
  return [...paths, join(path, 'package.json'), ...index]
}

/** Where TypeScript has the file that is to be named as JavaScript. */
function typedOf(path: string): readonly string[] {
  const [, start = '', kind = '', x = ''] =
    /^(.*\.)([cm]?)js(x?)$/is.exec(path) ?? []
  if (start === '') return []
  if (kind !== '') return [`${start}${kind}ts${x}`]
  const others = ['ts', 'tsx', 'js', 'jsx'].map((end) => `${start}${end}`)
  return others.filter((other) => other !== path)
}

function withEndings(start: string): readonly string[] {
  return endings.map((ending) => `${start}.${ending}`)
}

/** Nothing, where nobody can say. */
function statsOf(path: string): Stats | 'absent' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? 'absent'
  } catch {
    return undefined
  }
}

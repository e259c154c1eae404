import { posix } from 'node:path'

/** @typedef {{ to: string, line: number }} Edge */

/**
 * The import cycles between files. Type-only imports do not count: they are
 * gone at run time. Each cycle is reported once, where it was closed.
 * @param {ReadonlyMap<string, readonly import('./imports.mjs').Import[]>} imports
 * @returns {import('./report.mjs').Problem[]}
 */
export function findCycles(imports) {
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {import('./report.mjs').Problem[]} */
  const problems = []

  /**
   * @param {string} file
   * @param {readonly string[]} trail
   */
  function visit(file, trail) {
    for (const { to, line } of edgesOf(file, imports)) {
      const start = trail.indexOf(to)
      if (start >= 0) {
        const cycle = [...trail.slice(start), to].join(' → ')
        problems.push({ file, line, message: `closes a cycle: ${cycle}` })
      } else if (!done.has(to)) {
        visit(to, [...trail, to])
      }
    }
    done.add(file)
  }

  for (const file of imports.keys()) {
    if (!done.has(file)) visit(file, [file])
  }
  return problems
}

/**
 * @param {string} file
 * @param {ReadonlyMap<string, readonly import('./imports.mjs').Import[]>} imports
 * @returns {Edge[]}
 */
function edgesOf(file, imports) {
  return (imports.get(file) ?? [])
    .filter(({ isTypeOnly, specifier }) => {
      return !isTypeOnly && specifier.startsWith('.')
    })
    .map(({ specifier, line }) => {
      return { to: posix.join(posix.dirname(file), specifier), line }
    })
    .filter(({ to }) => imports.has(to))
}

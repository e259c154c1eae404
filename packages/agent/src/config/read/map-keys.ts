import type { Place } from '../node.ts'
import { type Path, quote } from '../problem.ts'
import type { Report } from '../report.ts'

/** They would reach what all objects share. */
const forbidden: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
])

/** Says what is wrong with the keys of one map, as they come. */
export function createKeyCheck(report: Report) {
  const seen = new Set<string>()
  return (key: string, at: Place, path: Path): boolean => {
    if (forbidden.has(key)) {
      const message = `The key ${quote(key)} is never allowed; remove it.`
      report.add({ code: 'forbidden-key', at, path, message })
      return false
    }
    if (seen.has(key)) {
      const message = `The key ${quote(key)} is there twice in one object; keep one.`
      report.add({ code: 'duplicate-key', at, path, message })
      return false
    }
    seen.add(key)
    return true
  }
}

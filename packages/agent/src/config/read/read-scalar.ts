import type { Place, ScalarNode } from '../node.ts'
import type { Path } from '../problem.ts'
import type { Report } from '../report.ts'

/** A scalar that JSON can say exactly; anything else is reported. */
export function readScalar(
  value: unknown,
  at: Place,
  { report, path }: { readonly report: Report; readonly path: Path },
): ScalarNode {
  const problem = problemOf(value)
  if (problem !== undefined) {
    report.add({ code: 'not-data', at, path, message: problem })
    return { type: 'scalar', value: null, at }
  }
  // Checked: nothing else has no problem.
  return { type: 'scalar', value: value as ScalarNode['value'], at }
}

function problemOf(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'string') {
    return value.isWellFormed()
      ? undefined
      : 'A text holds half of a character; write it in full.'
  }
  if (typeof value !== 'number') {
    const what = value instanceof Date ? 'a date' : `of type ${typeof value}`
    return `A value is ${what}, which no key takes; write it as text.`
  }
  if (!Number.isFinite(value)) return 'A number is not finite; write another.'
  return !Number.isInteger(value) || Number.isSafeInteger(value)
    ? undefined
    : 'A number is too large to be held exactly; write a smaller one.'
}

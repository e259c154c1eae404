import { type DataLimits, isPlain } from '../engine/index.ts'

type DataProblem = 'not-data' | 'too-deep' | 'too-large'

export type Sealed =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: DataProblem }

/**
 * Reads a value once and makes a frozen copy of it, if it is plain data (what
 * JSON can say) within limits. Whoever kept the original changes only that.
 */
export function sealData(root: unknown, limits: DataLimits): Sealed {
  let problem: DataProblem = 'not-data'
  let keys = 0
  let chars = 0
  const refuse = (why: DataProblem) => {
    problem = why
    return new Error(why)
  }
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') chars += value.length
    if (chars > limits.chars) throw refuse('too-large')
    if (typeof value === 'string' || typeof value === 'boolean') return value
    if (value === null || Number.isFinite(value)) return value
    if (!isPlain(value)) throw refuse('not-data')
    if (depth === limits.depth) throw refuse('too-deep')
    const names = Reflect.ownKeys(value)
    keys += names.length
    if (keys > limits.keys) throw refuse('too-large')
    const isList = Array.isArray(value)
    const made: unknown[] & Record<string, unknown> = isList ? [] : Object({})
    for (const name of names) {
      if (isList && name === 'length') continue
      const property = Reflect.getOwnPropertyDescriptor(value, name)
      // A list has its indices, one after the other, and nothing else.
      const isNext = !isList || name === `${made.length}`
      if (typeof name === 'symbol' || name === '__proto__' || !isNext) {
        throw refuse('not-data')
      }
      if (!property?.enumerable || !('value' in property)) {
        throw refuse('not-data')
      }
      chars += name.length
      // An absent property and an undefined one are the same in JSON.
      if (property.value === undefined && !isList) continue
      made[name] = copy(property.value, depth + 1)
    }
    if (isList && made.length !== value.length) throw refuse('not-data')
    return Object.freeze(made)
  }
  try {
    return { value: copy(root, 0) }
  } catch {
    // Ours, or that of a proxy that cannot be read: it is not data then.
    return { problem }
  }
}

/** How large a value that a hook hands in may be. */
export interface DataLimits {
  readonly depth: number
  readonly keys: number
  /** UTF-16 code units of all strings and keys together. */
  readonly chars: number
}

export type DataProblem = 'not-data' | 'too-deep' | 'too-large'

/**
 * Checks that a value is plain data (what JSON can say) within limits, and
 * freezes it, so that whoever keeps a reference cannot change it later.
 */
export function sealData(
  root: unknown,
  limits: DataLimits,
): DataProblem | undefined {
  let keys = 0
  let chars = 0
  const visit = (value: unknown, depth: number): DataProblem | undefined => {
    if (typeof value === 'string') chars += value.length
    else if (typeof value === 'object' && value !== null) {
      if (depth === limits.depth) return 'too-deep'
      const names = Reflect.ownKeys(value)
      keys += names.length
      if (keys > limits.keys) return 'too-large'
      // An array has its indices and `length`: no holes, nothing else.
      const isWhole = !Array.isArray(value) || names.length === value.length + 1
      if (!isPlain(value) || !isWhole) return 'not-data'
      // Frozen before it is read: neither getter nor proxy can change it then.
      Object.freeze(value)
      for (const name of names) {
        const property = Reflect.getOwnPropertyDescriptor(value, name)
        if (typeof name === 'symbol' || name === '__proto__') return 'not-data'
        if (property === undefined || !('value' in property)) return 'not-data'
        chars += name.length
        const isAbsent = property.value === undefined && !Array.isArray(value)
        const problem = isAbsent ? undefined : visit(property.value, depth + 1)
        if (problem !== undefined) return problem
      }
    } else if (typeof value !== 'boolean' && value !== null) {
      if (!Number.isFinite(value)) return 'not-data'
    }
    return chars > limits.chars ? 'too-large' : undefined
  }
  try {
    return visit(root, 0)
  } catch {
    // Only a proxy throws on being read, and a proxy is not plain data.
    return 'not-data'
  }
}

/**
 * Freezes what a caller hands in, through plain objects and arrays. A frozen
 * root is taken to be frozen throughout: values are frozen when they are made.
 */
export function freezeDeep<T>(value: T): T {
  if (!isOpen(value)) return value
  // A loop, not recursion: how deep a caller's value is, is not ours to trust.
  let rest: object[] | undefined
  let next: object | undefined = value
  while (next !== undefined) {
    Object.freeze(next)
    for (const key in next) {
      const child = (next as Record<string, unknown>)[key]
      if (!isOpen(child)) continue
      rest ??= []
      rest.push(child)
    }
    next = rest?.pop()
  }
  return value
}

function isOpen(value: unknown): value is object {
  return isPlain(value) && !Object.isFrozen(value)
}

/** Whether a value is an object or array that nothing was added to. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === Array.prototype ||
    prototype === null
  )
}

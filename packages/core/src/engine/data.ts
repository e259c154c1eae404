/** How large a value that a hook hands in may be. */
export interface DataLimits {
  readonly depth: number
  readonly keys: number
  /** UTF-16 code units of all strings and keys together. */
  readonly chars: number
}

export const defaultDataLimits: DataLimits = {
  depth: 64,
  keys: 10_000,
  chars: 1_048_576,
}

export type DataProblem = 'not-data' | 'too-deep' | 'too-large'

/**
 * Checks that a value is plain data (what JSON can say) within limits, and
 * freezes it, so that whoever keeps a reference cannot change it later.
 */
export function sealData(
  value: unknown,
  limits: DataLimits,
): DataProblem | undefined {
  try {
    return new Walk(limits).visit(value, 0)
  } catch {
    // Only a proxy can throw on being read; it is not plain data.
    return 'not-data'
  }
}

class Walk {
  readonly #limits: DataLimits
  #keys = 0
  #chars = 0

  constructor(limits: DataLimits) {
    this.#limits = limits
  }

  visit(value: unknown, depth: number): DataProblem | undefined {
    switch (typeof value) {
      case 'string':
        return this.#count(0, value.length)
      case 'number':
        return Number.isFinite(value) ? undefined : 'not-data'
      case 'boolean':
        return undefined
      case 'object':
        if (value === null) return undefined
        if (depth >= this.#limits.depth) return 'too-deep'
        return this.#visitObject(value, depth + 1)
      default:
        return 'not-data'
    }
  }

  #visitObject(value: object, depth: number): DataProblem | undefined {
    const keys = Reflect.ownKeys(value)
    if (!isPlain(value, keys)) return 'not-data'
    const counted = this.#count(keys.length, 0)
    if (counted !== undefined) return counted
    // Frozen before its values are read: a getter or proxy cannot change them.
    Object.freeze(value)
    for (const key of keys) {
      const problem = this.#visitProperty(value, key, depth)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #visitProperty(
    value: object,
    key: string | symbol,
    depth: number,
  ): DataProblem | undefined {
    if (typeof key === 'symbol' || key === '__proto__') return 'not-data'
    const property = Object.getOwnPropertyDescriptor(value, key)
    if (property === undefined || !('value' in property)) return 'not-data'
    const counted = this.#count(0, key.length)
    // An absent property and an undefined one are the same thing in JSON.
    if (property.value === undefined && !Array.isArray(value)) return counted
    return counted ?? this.visit(property.value, depth)
  }

  #count(keys: number, chars: number): DataProblem | undefined {
    this.#keys += keys
    this.#chars += chars
    const over =
      this.#keys > this.#limits.keys || this.#chars > this.#limits.chars
    return over ? 'too-large' : undefined
  }
}

function isPlain(value: object, keys: readonly PropertyKey[]): boolean {
  const prototype = Object.getPrototypeOf(value)
  if (!Array.isArray(value)) {
    return prototype === Object.prototype || prototype === null
  }
  // Every index and `length`: neither holes nor extra properties.
  return prototype === Array.prototype && keys.length === value.length + 1
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
  if (typeof value !== 'object' || value === null) return false
  if (Object.isFrozen(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === Array.prototype ||
    prototype === null
  )
}

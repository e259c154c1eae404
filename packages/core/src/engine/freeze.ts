/** How large a value that a hook hands in may be. */
export interface DataLimits {
  readonly depth: number
  readonly keys: number
  /** UTF-16 code units of all strings and keys together. */
  readonly chars: number
}

/**
 * Freezes what a caller hands in, through plain objects and arrays. A frozen
 * root is taken to be frozen throughout: values are frozen when they are made.
 */
export function freezeDeep<T>(value: T): T {
  // A loop, not recursion: how deep a caller's value is, is not ours to trust.
  let rest: unknown[] | undefined
  let next: unknown = value
  while (next !== undefined) {
    if (isPlain(next) && !Object.isFrozen(next)) {
      const parts: unknown[] = Object.values(Object.freeze(next))
      for (const part of parts) {
        if (typeof part !== 'object' || part === null) continue
        rest ??= []
        rest.push(part)
      }
    }
    next = rest?.pop()
  }
  return value
}

/** Whether a value is an object or array that nothing was added to. */
export function isPlain(
  value: unknown,
): value is Record<string, unknown> | unknown[] {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null
}

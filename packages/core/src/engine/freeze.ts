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
  freezeParts(value, 0)
  return value
}

// Deeper than any real value, and far from what a stack can take.
const maxRecursion = 500

function freezeParts(value: unknown, depth: number): void {
  if (Object.isFrozen(value) || !isPlain(value)) return
  Object.freeze(value)
  // Not `in` for both: on lists it costs several times as much.
  if (Array.isArray(value)) {
    // Nor an iterator: the list is frozen now, which makes that slow.
    for (let at = 0; at < value.length; at++) freezePart(value[at], depth)
  } else {
    for (const key in value) freezePart(value[key], depth)
  }
}

function freezePart(part: unknown, depth: number): void {
  if (typeof part !== 'object' || part === null) return
  if (depth < maxRecursion) freezeParts(part, depth + 1)
  else freezeAll(part)
}

/** The same in a loop: how deep a caller's value is, is not ours to trust. */
function freezeAll(value: object): void {
  const rest: unknown[] = [value]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (!isPlain(next) || Object.isFrozen(next)) continue
    const parts: unknown[] = Object.values(Object.freeze(next))
    for (const part of parts) {
      if (typeof part === 'object' && part !== null) rest.push(part)
    }
  }
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

const maxChars = 65_536
const maxItems = 200
const maxDepth = 8

/**
 * Plain data of a size that can be looked at. Texts that are cut end in `…`, by
 * which a redactor knows that their last word may be the half of a secret.
 */
export function boundData(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutText(value, maxChars)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : String(value)
  }
  if (value === undefined) return undefined
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return `[${typeof value}]`
  if (depth >= maxDepth) return '[deeper]'
  try {
    return boundObject(value, depth + 1)
  } catch {
    // What throws when it is looked at is not looked at.
    return '[unreadable]'
  }
}

function boundObject(value: object, depth: number): unknown {
  if (value instanceof Error) return errorData(value, depth)
  if (value instanceof Date) return String(value.toJSON())
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems)
    return items.map((item: unknown) => boundData(item ?? null, depth))
  }
  const entries = Object.entries(value).slice(0, maxItems)
  return Object.fromEntries(
    entries.map(([key, one]) => [cutText(key, 200), boundData(one, depth)]),
  )
}

/** Without its stack, which says more of us than of what happened. */
function errorData(error: Error, depth: number): unknown {
  const { name, message, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  return {
    error: cutText(String(name), 200),
    ...(code !== undefined && { code: boundData(code, depth) }),
    message: cutText(String(message), maxChars),
    ...(cause !== undefined && { cause: boundData(cause, depth) }),
  }
}

export function cutText(text: string, max: number): string {
  const whole = text.toWellFormed()
  return whole.length <= max
    ? whole
    : `${whole.slice(0, max - 1).toWellFormed()}…`
}

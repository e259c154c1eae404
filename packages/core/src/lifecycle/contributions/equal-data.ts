import type { JsonValue } from '../json.ts'

/** Whether two values say the same; the order of keys says nothing. */
export function isEqualData(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): boolean {
  if (a === b) return true
  if (!isCompound(a) || !isCompound(b)) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = presentKeys(a)
  if (keys.length !== presentKeys(b).length) return false
  return keys.every((key) => isEqualData(a[key], b[key]))
}

/** Lists are read by index, as objects are by key. */
type Compound = Readonly<Record<string, JsonValue | undefined>>

function isCompound(value: unknown): value is Compound {
  return typeof value === 'object' && value !== null
}

// An undefined property and an absent one are the same in JSON.
function presentKeys(value: Compound): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

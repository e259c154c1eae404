import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/** What becomes of the value at a path; nothing: it is no longer there. */
export type Change = (value: JsonValue | undefined) => JsonValue | undefined

/**
 * Changes what is at a path; `*` stands for all entries of a list or an object.
 * Where a part of the path is missing, only what makes a value from nothing
 * has an effect. What is not changed stays the same value.
 */
export function changeAt(
  value: JsonValue | undefined,
  path: readonly string[],
  change: Change,
): JsonValue | undefined {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (isList(value)) return changeInList(value, key, rest, change)
  if (typeof value === 'object' && value !== null) {
    return changeInObject(value, key, rest, change)
  }
  if (value !== undefined || key === '*') return value
  const made = changeAt(undefined, rest, change)
  return made === undefined ? undefined : { [key]: made }
}

function changeInList(
  items: readonly JsonValue[],
  key: string,
  rest: readonly string[],
  change: Change,
): readonly JsonValue[] {
  const isMeant = (at: number) => key === '*' || key === String(at)
  let isChanged = false
  const left = items.flatMap((item, at) => {
    const made = isMeant(at) ? changeAt(item, rest, change) : item
    isChanged ||= made !== item
    return made === undefined ? [] : [made]
  })
  return isChanged ? left : items
}

function changeInObject(
  given: JsonObject,
  key: string,
  rest: readonly string[],
  change: Change,
): JsonObject {
  const left = new Map(Object.entries(given))
  let isChanged = false
  for (const name of key === '*' ? [...left.keys()] : [key]) {
    const before = left.get(name)
    const made = changeAt(before, rest, change)
    if (made === before) continue
    isChanged = true
    if (made === undefined) left.delete(name)
    else left.set(name, made)
  }
  return isChanged ? Object.fromEntries(left) : given
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

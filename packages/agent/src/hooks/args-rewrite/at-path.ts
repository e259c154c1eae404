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
  const keys = key === '*' ? Object.keys(given) : [key]
  let result = given
  for (const name of keys) {
    const before = Object.hasOwn(given, name) ? given[name] : undefined
    const made = changeAt(before, rest, change)
    if (made === before) continue
    const others = Object.entries(result).filter(([one]) => one !== name)
    const pairs = made === undefined ? others : [...others, [name, made]]
    // Pairs of a name and JSON make an object of JSON.
    result = Object.fromEntries(pairs) as JsonObject
  }
  return result
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

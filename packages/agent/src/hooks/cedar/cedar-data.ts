import type { JsonObject, JsonValue } from 'hookline/lifecycle'

type CedarData = string | number | boolean | CedarData[] | CedarRecord

/** What Cedar takes as a record. */
export interface CedarRecord {
  [key: string]: CedarData
}

/**
 * JSON as Cedar can have it: nothing in place of null, text in place of numbers
 * that are not whole. Throws where a key would make Cedar read something else.
 */
export function cedarRecord(given: JsonObject): CedarRecord {
  const pairs = Object.entries(given).flatMap(([key, value]) => {
    if (key.startsWith('__')) {
      throw new Error('A key begins with "__", which means more to Cedar.')
    }
    return value === null ? [] : [[key, cedarData(value)] as const]
  })
  return Object.fromEntries(pairs)
}

function cedarData(value: JsonValue): CedarData {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? value : String(value)
  }
  if (typeof value !== 'object') return value
  if (value === null) return ''
  if (isList(value)) {
    return value.flatMap((one) => (one === null ? [] : [cedarData(one)]))
  }
  return cedarRecord(value)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import type { ArgsIssue } from './args-issue.ts'

export type Copied<T> =
  | { readonly value: T; readonly issue?: undefined }
  | { readonly issue: ArgsIssue; readonly value?: undefined }

// As deep as a hook's answer may be.
const maxDepth = 64

/**
 * Reads a value once and makes a frozen copy of it, if it is what JSON can say.
 * Runs no accessor, and takes nothing from a prototype.
 */
export function copyJson(root: unknown): Copied<JsonValue> {
  try {
    return { value: copy(root, 0) }
  } catch (error) {
    // Ours, or that of a proxy that cannot be read.
    const isOurs = error instanceof NotJson
    const message = isOurs ? error.message : 'cannot be read'
    return { issue: { path: isOurs ? error.path : [], message } }
  }
}

/** Knows where it was thrown when it has come to the top. */
class NotJson extends Error {
  readonly path: string[] = []
}

function copy(value: unknown, depth: number): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value === null) return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth > maxDepth) throw new NotJson(`is deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) return Object.freeze(copyList(value, depth + 1))
  if (isRecord(value)) return Object.freeze(copyRecord(value, depth + 1))
  throw new NotJson(`gives a value that is no JSON (${nameOf(value)})`)
}

function copyList(list: readonly unknown[], depth: number): JsonValue[] {
  const made: JsonValue[] = []
  const { length } = list
  for (let index = 0; index < length; index++) {
    made.push(copyPart(list, `${index}`, depth))
  }
  return made
}

function copyRecord(record: object, depth: number): Record<string, JsonValue> {
  const made: Record<string, JsonValue> = {}
  for (const key of Object.keys(record)) {
    made[key] = copyPart(record, key, depth)
  }
  return made
}

function copyPart(holder: object, key: string, depth: number): JsonValue {
  try {
    // Assigning it would set the prototype of the copy.
    if (key === '__proto__') throw new NotJson('is a key that is not allowed')
    return copy(ownValue(holder, key), depth)
  } catch (error) {
    if (error instanceof NotJson) error.path.unshift(key)
    throw error
  }
}

/** The same for a value that must be an object, as arguments are. */
export function copyJsonObject(root: unknown): Copied<JsonObject> {
  const copied = copyJson(root)
  if (copied.issue) return copied
  const { value } = copied
  if (isJsonObject(value)) return { value }
  return {
    issue: { path: [], message: 'gives a value that is no JSON object' },
  }
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** What an object itself holds under a key; what an accessor says is not it. */
export function ownValue(holder: object, key: string): unknown {
  return Reflect.getOwnPropertyDescriptor(holder, key)?.value
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return typeof value
  const made: unknown = ownValue(Object.getPrototypeOf(value), 'constructor')
  return typeof made === 'function' ? made.name : 'object'
}

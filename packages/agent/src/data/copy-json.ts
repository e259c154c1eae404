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
  const path: string[] = []
  let problem = 'cannot be read'
  const refuse = (why: string): Error => {
    problem = why
    return new Error(why)
  }

  const copyList = (list: readonly unknown[]): JsonValue[] => {
    const made: JsonValue[] = []
    const { length } = list
    for (let index = 0; index < length; index++) {
      path.push(`${index}`)
      made.push(copy(ownValue(list, `${index}`)))
      path.pop()
    }
    return made
  }

  const copyRecord = (record: object): Record<string, JsonValue> => {
    const made: Record<string, JsonValue> = {}
    for (const key of Object.keys(record)) {
      path.push(key)
      // Assigning it would set the prototype of the copy.
      if (key === '__proto__') throw refuse('is a key that is not allowed')
      made[key] = copy(ownValue(record, key))
      path.pop()
    }
    return made
  }

  const copy = (value: unknown): JsonValue => {
    if (typeof value === 'string' || typeof value === 'boolean') return value
    if (value === null) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (path.length > maxDepth)
      throw refuse(`is deeper than ${maxDepth} levels`)
    if (Array.isArray(value)) return Object.freeze(copyList(value))
    if (isRecord(value)) return Object.freeze(copyRecord(value))
    throw refuse(`gives a value that is no JSON (${nameOf(value)})`)
  }

  try {
    return { value: copy(root) }
  } catch {
    // Ours, or that of a proxy that cannot be read.
    return { issue: { path, message: problem } }
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

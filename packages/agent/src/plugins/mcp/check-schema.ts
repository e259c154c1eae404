import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { measureJson } from './measure-json.ts'

export type CheckedSchema =
  | { readonly schema: JsonObject; readonly problem?: undefined }
  | { readonly problem: string }

const limits = { maxBytes: 65_536, maxDepth: 32, maxNodes: 5_000 }

/**
 * Reads the schema of a tool's arguments. What cannot be checked here safely,
 * or at all, is left to the server, which checks its arguments anyway.
 */
export function checkSchema(given: unknown): CheckedSchema {
  const tooMuch = measureJson(given, limits)
  if (tooMuch !== undefined) return { problem: `its schema ${tooMuch}` }
  if (!isObject(given) || given['type'] !== 'object') {
    return { problem: 'its schema is none of an object' }
  }
  try {
    const schema = readSchema(given)
    if (!isObject(schema)) return { problem: 'its schema is none of an object' }
    checkReferences(schema, schema)
    return { schema }
  } catch (error) {
    if (error instanceof BadSchema) return { problem: error.message }
    throw error
  }
}

class BadSchema extends Error {}

type Reader = (value: JsonValue) => JsonValue

const readList: Reader = (value) => {
  if (!Array.isArray(value))
    throw new BadSchema('its schema has no list where one belongs')
  return value.map(readSchema)
}
const readMap: Reader = (value) => {
  if (!isObject(value))
    throw new BadSchema('its schema has no object where one belongs')
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    readSchema(part),
  ])
  return Object.fromEntries(parts)
}
const readOneOrMany: Reader = (value) =>
  Array.isArray(value) ? value.map(readSchema) : readSchema(value)

/** What is read as schemas again; all else is data. */
const readers: Readonly<Record<string, Reader>> = {
  properties: readMap,
  $defs: readMap,
  definitions: readMap,
  items: readOneOrMany,
  additionalItems: readSchema,
  additionalProperties: readSchema,
  contains: readSchema,
  propertyNames: readSchema,
  not: readSchema,
  if: readSchema,
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
  then: readSchema,
  else: readSchema,
  allOf: readList,
  anyOf: readList,
  oneOf: readList,
}

/**
 * Patterns could hold up the process; the rest is of drafts that are not
 * checked here, or decides what a reference means.
 */
const leftToServer = new Set([
  ...['pattern', 'patternProperties'],
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$comment'],
  ...['$async', '$dynamicRef', '$recursiveRef', '$recursiveAnchor'],
  ...['prefixItems', 'minContains', 'maxContains'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$vocabulary'],
])

const kinds: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: (value) => isSet([value].flat()) && [value].flat().every(isType),
  required: (value) =>
    Array.isArray(value) &&
    (value.length === 0 || isSet(value)) &&
    value.every(isText),
  enum: (value) => Array.isArray(value) && value.length > 0,
  $ref: (value) => typeof value === 'string' && /^#(\/|$)/.test(value),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  title: isText,
  description: isText,
}

const types = new Set([
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
])

function readSchema(given: JsonValue): JsonValue {
  if (typeof given === 'boolean') return given
  if (!isObject(given))
    throw new BadSchema('its schema holds what is no schema')
  const schema: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(given)) {
    if (leftToServer.has(key)) continue
    const isFit = Object.hasOwn(kinds, key) ? kinds[key] : undefined
    if (isFit && !isFit(value)) {
      throw new BadSchema(`its schema has a "${key}" that is none`)
    }
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined
    schema[key] = read ? read(value) : value
  }
  const { pattern } = given
  if (typeof pattern === 'string') {
    const { description } = schema
    const said = typeof description === 'string' ? `${description} ` : ''
    schema['description'] = `${said}Pattern: ${pattern}`
  }
  // It was about what the patterns had left over.
  if ('patternProperties' in given) delete schema['additionalProperties']
  return schema
}

/** Those that lead nowhere could not be checked. */
function checkReferences(part: JsonValue, root: JsonObject): void {
  if (Array.isArray(part)) {
    for (const one of part) checkReferences(one, root)
    return
  }
  if (!isObject(part)) return
  const { $ref } = part
  if (typeof $ref === 'string' && !leadsSomewhere($ref, root)) {
    throw new BadSchema('its schema refers to what is not in it')
  }
  for (const one of Object.values(part)) checkReferences(one, root)
}

function leadsSomewhere(reference: string, root: JsonObject): boolean {
  let here: JsonValue | undefined = root
  const [, ...steps] = reference.split('/')
  for (const step of steps) {
    const key = decode(step)
    if (typeof here !== 'object' || here === null || key === undefined) {
      return false
    }
    if (!Object.hasOwn(here, key)) return false
    here = Array.isArray(here) ? here[Number(key)] : (here as JsonObject)[key]
  }
  return isObject(here) || typeof here === 'boolean'
}

function decode(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

function isType(value: JsonValue): boolean {
  return typeof value === 'string' && types.has(value)
}

function isSet(values: readonly JsonValue[]): boolean {
  return values.length > 0 && new Set(values).size === values.length
}

function isNumber(value: JsonValue): value is number {
  return typeof value === 'number'
}

function isCount(value: JsonValue): boolean {
  return Number.isInteger(value) && isNumber(value) && value >= 0
}

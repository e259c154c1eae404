import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { type ConfigNode, dataOf, type MapEntry } from '../node.ts'
import { hint, quote } from '../problem.ts'
import { subject, wrongType } from './scalars.ts'
import {
  below,
  type JsonSchema,
  type Reading,
  refuse,
  type Shape,
} from './shape.ts'

interface ListRules {
  readonly min?: number
  readonly max?: number
}

export function list<T>(
  item: Shape<T>,
  { min = 0, max }: ListRules = {},
): Shape<readonly T[]> {
  return {
    schema: {
      type: 'array',
      items: item.schema,
      ...(min > 0 && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    },
    read(node, reading) {
      if (node.type !== 'list') return wrongType(node, reading, 'a list')
      const { length } = node.items
      if (length < min || length > (max ?? length)) {
        const most = max === undefined ? '' : ` and at most ${max}`
        const message = `${subject(reading)} has to have at least ${min}${most} entries.`
        return refuse(node, reading, { code: 'wrong-value', message })
      }
      return node.items.flatMap((part, index) => {
        return item.read(part, below(reading, index)) ?? []
      })
    },
  }
}

interface RecordRules {
  /** Has to match every key. */
  readonly keys: RegExp
  /** What a key is, as in "is no …". */
  readonly kind: string
  readonly max: number
}

/** Any keys of one kind, with values of one shape. */
export function record<T>(
  value: Shape<T>,
  { keys, kind, max }: RecordRules,
): Shape<Readonly<Record<string, T>>> {
  return {
    schema: {
      type: 'object',
      propertyNames: { pattern: keys.source },
      additionalProperties: value.schema,
      maxProperties: max,
    },
    read(node, reading) {
      if (node.type !== 'map') return wrongType(node, reading, 'an object')
      if (node.entries.length > max) {
        const message = `${subject(reading)} has to have at most ${max} entries.`
        return refuse(node, reading, { code: 'wrong-value', message })
      }
      const pairs = node.entries.flatMap((entry): [string, T][] => {
        const { key, keyAt, node: part } = entry
        const inside = below(reading, key)
        if (!keys.test(key)) {
          const message = `${quote(key)} is no ${kind}; mend it.`
          const { report, path } = inside
          report.add({ code: 'wrong-value', at: keyAt, path, message })
          return []
        }
        const read = value.read(part, inside)
        return read === undefined ? [] : [[key, read]]
      })
      return Object.fromEntries(pairs)
    },
  }
}

/** How every key of `T` is read. */
type Fields<T> = {
  readonly [K in keyof T]-?: Shape<Exclude<T[K], undefined>>
}

type NeededKey<T> = {
  [K in keyof T]-?: undefined extends T[K] ? never : K
}[keyof T] &
  string

/** An object that has only these keys, and at least the needed ones. */
export function object<T extends object>(
  fields: Fields<T>,
  needed: readonly NeededKey<T>[],
): Shape<T> {
  const shapes = new Map<string, Shape>(Object.entries<Shape>(fields))
  return {
    schema: objectSchema(shapes, needed),
    read(node, reading) {
      if (node.type !== 'map') return wrongType(node, reading, 'an object')
      const values = readEntries(node.entries, shapes, reading)
      const has = new Set(node.entries.map(({ key }) => key))
      for (const key of needed) {
        if (has.has(key)) continue
        const message = `${subject(reading)} has no \`${key}\`; add it.`
        refuse(node, reading, { code: 'missing-key', message })
      }
      // Whoever finds a problem reported does not use it.
      return Object.fromEntries(values) as T
    },
  }
}

function objectSchema(
  shapes: ReadonlyMap<string, Shape>,
  needed: readonly string[],
): JsonSchema {
  const properties = [...shapes].map(([key, { schema }]) => [key, schema])
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  }
}

function readEntries(
  entries: readonly MapEntry[],
  shapes: ReadonlyMap<string, Shape>,
  reading: Reading,
): [string, unknown][] {
  return entries.flatMap(({ key, keyAt, node }): [string, unknown][] => {
    const shape = shapes.get(key)
    const inside = below(reading, key)
    if (shape !== undefined) {
      const value = shape.read(node, inside)
      return value === undefined ? [] : [[key, value]]
    }
    unknownKey(key, [...shapes.keys()], { ...inside, at: keyAt })
    return []
  })
}

export function unknownKey(
  key: string,
  known: readonly string[],
  { report, path, at }: Reading & { readonly at: MapEntry['keyAt'] },
): void {
  const suggestion = report.nearest(key, known)
  const message = `The key ${quote(key)} is unknown${hint(suggestion, known)}`
  report.add({ code: 'unknown-key', at, path, message, suggestion })
}

/** An object of anything that JSON can say. */
export const jsonObject: Shape<JsonObject> = {
  schema: { type: 'object' },
  read(node, reading) {
    if (node.type !== 'map') return wrongType(node, reading, 'an object')
    // A map gives an object.
    return dataOf(node) as JsonObject
  },
}

/** Anything that JSON can say. */
export const anyJson: Shape<JsonValue> = {
  schema: {},
  read: (node: ConfigNode) => dataOf(node),
}

import { compileCondition } from 'hookline'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { errorText } from '../data/error-text.ts'
import type { CompileRegex } from './linear-regex.ts'
import {
  type ConfigNode,
  dataOf,
  type ListNode,
  type MapEntry,
  type MapNode,
} from './node.ts'
import { hint, quote } from './problem.ts'
import type { Report } from './report.ts'
import { scalarOf, subject, wrongType } from './shape/scalars.ts'
import { below, type Reading, refuse, type Shape } from './shape/shape.ts'

const operators = ['$is', '$not', '$regex'] as const

/** Of all expressions of a file; to compile them takes a second, then. */
const maxRegexLength = 20_000

/** What a field has to be: texts with wildcards, lists of any, operators. */
export function conditionShape(compileRegex: CompileRegex): Shape<JsonValue> {
  const lengths = new WeakMap<Report, number>()
  const compileWithin = (report: Report) => (source: string) => {
    const length = (lengths.get(report) ?? 0) + source.length
    lengths.set(report, length)
    if (length <= maxRegexLength) return compileRegex(source)
    const message = `the expressions of this file have more than ${maxRegexLength} characters`
    throw new Error(message)
  }

  const read = (node: ConfigNode, reading: Reading): JsonValue | undefined => {
    if (node.type === 'scalar') checkGlob(node, reading)
    else if (node.type === 'list') readList(node, reading)
    else readMap(node, reading)
    return dataOf(node)
  }

  const readList = (node: ListNode, reading: Reading) => {
    if (node.items.length === 0) {
      const message = `${subject(reading)} is an empty list, so that the hook never runs; name something or remove it.`
      refuse(node, reading, { code: 'never-matches', message })
    }
    for (const [index, item] of node.items.entries()) {
      read(item, below(reading, index))
    }
  }

  const readMap = (node: MapNode, reading: Reading) => {
    for (const entry of node.entries) {
      const inside = below(reading, entry.key)
      if (entry.key === '$regex') {
        checkRegex(entry.node, inside, compileWithin(reading.report))
      } else if (entry.key === '$is') checkSame(entry.node, inside)
      else if (entry.key.startsWith('$') && entry.key !== '$not') {
        unknownOperator(entry, inside)
      } else read(entry.node, inside)
    }
  }

  return { read, schema: { $ref: '#/definitions/condition' } }
}

/** The definition that the shape refers to. */
export const conditionSchema: JsonObject = {
  description:
    'A value; a text in which * ? and {a,b} are wildcards; a list of which any may hold; or an object of conditions by path.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', minItems: 1, items: { $ref: '#/definitions/condition' } },
    {
      type: 'object',
      properties: {
        $is: {
          description: 'This very value: no character of it is a wildcard.',
          type: ['string', 'number', 'boolean', 'null'],
        },
        $not: { $ref: '#/definitions/condition' },
        $regex: {
          description:
            'An RE2 expression for the whole text; begin and end it with .* to find a part.',
          type: 'string',
          maxLength: 1000,
        },
      },
      patternProperties: { '^(?![$])': { $ref: '#/definitions/condition' } },
      additionalProperties: false,
    },
  ],
}

/** Conditions by field; whether the point has them is known where it is. */
export function matchShape(condition: Shape<JsonValue>): Shape<JsonObject> {
  return {
    schema: { type: 'object', additionalProperties: condition.schema },
    read(node, reading) {
      if (node.type !== 'map') return wrongType(node, reading, 'an object')
      for (const { key, node: part } of node.entries) {
        condition.read(part, below(reading, key))
      }
      // A map gives an object.
      return dataOf(node) as JsonObject
    },
  }
}

function checkGlob(node: ConfigNode, reading: Reading): void {
  const value = scalarOf(node)
  if (typeof value !== 'string') return
  try {
    compileCondition(value)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const why = errorText(cause ?? error)
    const message = `${subject(reading)} is a bad pattern: ${why}; write { $is: … } for a text without wildcards.`
    refuse(node, reading, { code: 'bad-glob', message })
  }
}

function checkRegex(
  node: ConfigNode,
  reading: Reading,
  compileRegex: CompileRegex,
): void {
  const value = scalarOf(node)
  if (typeof value !== 'string') {
    wrongType(node, reading, 'the text of a regular expression')
    return
  }
  try {
    compileRegex(value)
  } catch (error) {
    const message = `${subject(reading)} cannot be used: ${errorText(error)}.`
    refuse(node, reading, { code: 'bad-regex', message })
  }
}

function checkSame(node: ConfigNode, reading: Reading): void {
  if (node.type !== 'scalar') wrongType(node, reading, 'a single value')
}

function unknownOperator(
  { key, keyAt }: MapEntry,
  { report, path }: Reading,
): void {
  const suggestion = report.nearest(key, operators)
  const message = `The operator ${quote(key)} is unknown${hint(suggestion, operators)}`
  report.add({ code: 'unknown-operator', at: keyAt, path, message, suggestion })
}

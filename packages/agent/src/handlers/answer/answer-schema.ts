import type { Point } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { answerKeys, type WireAnswerType } from './answer-keys.ts'
import { contributionSchemas } from './schema/contribution-schemas.ts'
import { anything, text, words } from './schema/typed-schema.ts'
import { valueSchemas } from './schema/value-schemas.ts'

const meanings: Readonly<Record<WireAnswerType, string>> = {
  proceed: 'Go on with the value as it is.',
  transform: 'Go on with another value; the next hook sees it.',
  replace: 'Use this value as it is; the remaining hooks are skipped.',
  reject: 'The operation is refused, for this reason.',
  respond: 'The operation is not performed; this is its outcome.',
  ask: 'A person must agree first.',
  endTurn: 'The turn ends here.',
  keepGoing: 'The turn, about to stop, goes on with this feedback.',
}

/**
 * The JSON Schema (draft 7 and later) of what a handler may answer at a point.
 * Points of users' own may be answered with any value.
 */
export function answerSchema(point: Point): JsonObject {
  const types = Object.keys(answerKeys).filter(
    (type): type is WireAnswerType =>
      type === 'proceed' || point.answers.has(type),
  )
  const common = {
    run: { ...text, description: 'The "run" of the envelope.' },
    contributions: contributionsSchema(point),
    diagnostics: { type: 'array', items: diagnostic },
  }
  return {
    title: `An answer at ${point.name}`,
    anyOf: types.map((type) => ({
      type: 'object',
      description: meanings[type],
      properties: { type: { const: type }, ...payload(point, type), ...common },
      required: ['type', ...Object.keys(payload(point, type))],
    })),
  }
}

function payload(point: Point, type: WireAnswerType): JsonObject {
  const key = answerKeys[type]
  if (key === undefined) return {}
  if (key !== 'value' && key !== 'output') return { [key]: words }
  // Points of users' own have no entry here.
  const known: Readonly<
    Record<string, { value?: JsonObject; output?: JsonObject }>
  > = valueSchemas
  const schemas = Object.hasOwn(known, point.name)
    ? known[point.name]
    : undefined
  return { [key]: schemas?.[key] ?? anything }
}

const diagnostic: JsonObject = {
  type: 'object',
  properties: { code: text, message: text },
  required: ['code', 'message'],
}

function contributionsSchema(point: Point): JsonObject {
  // Tools hold functions, so that they never come as data.
  const kinds = [...point.kinds.keys()].filter((kind) => kind !== 'tools')
  if (kinds.length === 0) return { type: 'array', maxItems: 0 }
  const items = kinds.map((kind) => ({
    type: 'object',
    properties: { kind: { const: kind }, value: schemaOfKind(kind) },
    required: ['kind', 'value'],
  }))
  return { type: 'array', items: { anyOf: items } }
}

function schemaOfKind(kind: string): JsonObject {
  const known: Readonly<Record<string, JsonObject>> = contributionSchemas
  return Object.hasOwn(known, kind) ? (known[kind] ?? anything) : anything
}

import type { Point } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import {
  answerKeys,
  isWireAnswerType,
  type WireAnswerType,
} from '../answer/answer-keys.ts'
import { contributionSchemas } from '../answer/schema/contribution-schemas.ts'
import { valueSchemas } from '../answer/schema/value-schemas.ts'

/** What a hook may say at its point. */
export interface AnswerForm {
  readonly types: readonly WireAnswerType[]
  /** The kinds of contributions that it may add. */
  readonly kinds: readonly string[]
  /** It can keep something from happening, so that its risk is a question. */
  readonly canRefuse: boolean
}

export interface HookRights {
  readonly writes?: boolean
  readonly capabilities?: readonly string[]
}

/** Only what the engine would let the hook say: anything else is a failure. */
export function answerForm(
  { answers, rights, kinds }: Point,
  { writes = false, capabilities = [] }: HookRights,
): AnswerForm {
  const mayAnswer = (type: string) => {
    if (!writes && (type === 'transform' || type === 'replace')) return false
    const right = rights.get(type)
    return right === undefined || capabilities.includes(right)
  }
  const types = [...answers].filter(mayAnswer).filter(isWireAnswerType)
  return {
    types: ['proceed', ...types],
    kinds: capabilities.filter((name) => kinds.has(name)),
    canRefuse: types.includes('reject') || types.includes('ask'),
  }
}

export const risks = ['none', 'low', 'high'] as const
export type Risk = (typeof risks)[number]

/**
 * The schema of a reply. It is flat, and every field is there, as a null where
 * it is not used: strict providers take no other form.
 */
export function replySchema(
  point: Point,
  { types, kinds, canRefuse }: AnswerForm,
): JsonObject {
  const payloads = types.flatMap((type) => answerKeys[type] ?? [])
  const properties = {
    ...(canRefuse && { risk: { type: 'string', enum: risks } }),
    type: { type: 'string', enum: types },
    ...Object.fromEntries(payloads.map((key) => [key, payloadOf(point, key)])),
    ...(kinds.length > 0 && { contributions: contributionsOf(kinds) }),
  }
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

type PayloadKey = NonNullable<(typeof answerKeys)[WireAnswerType]>

function payloadOf({ name }: Point, key: PayloadKey): JsonObject {
  if (key !== 'value' && key !== 'output') return { type: ['string', 'null'] }
  // Points of users' own have no entry here: they take any value.
  const known: Readonly<
    Record<string, { value?: JsonObject; output?: JsonObject }>
  > = valueSchemas
  const schemas = Object.hasOwn(known, name) ? known[name] : undefined
  const schema = schemas?.[key]
  return schema === undefined ? {} : { anyOf: [schema, { type: 'null' }] }
}

function contributionsOf(kinds: readonly string[]): JsonObject {
  const items = kinds.map((kind) => ({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: [kind] },
      value: schemaOf(kind),
    },
    required: ['kind', 'value'],
    additionalProperties: false,
  }))
  return { type: 'array', items: { anyOf: items } }
}

function schemaOf(kind: string): JsonObject {
  const known: Readonly<Record<string, JsonObject>> = contributionSchemas
  return Object.hasOwn(known, kind) ? (known[kind] ?? {}) : {}
}

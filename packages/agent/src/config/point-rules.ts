import type { Point } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'

/** What a definition may say at a point: for the checks and for editors alike. */
export interface PointRules {
  readonly name: string
  readonly fields: readonly string[]
  /** Kinds that can be contributed, and rights that can be used. */
  readonly capabilities: readonly string[]
  /** Those of them that a hook can have for which nobody waits. */
  readonly unwaited: readonly string[]
  /** Rights let a hook decide for the user. */
  readonly rights: readonly string[]
  readonly executions: readonly string[]
  readonly canReject: boolean
  readonly canWrite: boolean
  readonly isStreamed: boolean
}

export function pointRules(point: Point): PointRules {
  const { answers, flow, kinds } = point
  const rights = [...new Set(point.rights.values())]
  const unwaited = [...kinds.values()].filter((kind) => kind.unwaited)
  return {
    name: point.name,
    fields: [...point.fields.keys()],
    capabilities: [...kinds.keys(), ...rights],
    unwaited: [...unwaited.map(({ name }) => name), ...rights],
    rights,
    executions: [
      ...(flow === 'observe' ? [] : ['blocking']),
      'record',
      'background',
    ],
    canReject: answers.has('reject'),
    canWrite: answers.has('transform') || answers.has('replace'),
    isStreamed: point.isStreamed,
  }
}

/** What of it an editor can check. */
export function pointSchema(rules: PointRules): JsonObject {
  const { fields, capabilities, executions } = rules
  const match = Object.fromEntries(fields.map((field) => [field, true]))
  return {
    if: { properties: { on: { const: rules.name } }, required: ['on'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {
      properties: {
        match: { properties: match, additionalProperties: false },
        capabilities: { items: { enum: capabilities } },
        execution: { enum: executions },
        ...(!rules.canReject && { onFailure: { not: { const: 'closed' } } }),
        ...(!rules.canWrite && { writes: { const: false } }),
        ...(!rules.isStreamed && { holdBack: false }),
      },
    },
  }
}

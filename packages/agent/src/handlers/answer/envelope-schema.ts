import type { Point } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { protocol } from '../handler.ts'
import { agentScope } from './schema/agent-schemas.ts'
import { inputSchemas } from './schema/input-schemas.ts'
import { anything, count, text } from './schema/typed-schema.ts'

/** The JSON Schema of what a handler is told at a point. */
export function envelopeSchema(point: Point): JsonObject {
  // Points of users' own have no entry here.
  const inputs: Readonly<Record<string, JsonObject>> = inputSchemas
  const isKnown = Object.hasOwn(inputs, point.name)
  return {
    title: `The envelope of ${point.name}`,
    type: 'object',
    properties: {
      protocol: { const: protocol },
      point: { const: point.name },
      hook: text,
      run: { ...text, description: 'To be repeated in the answer.' },
      deadlineMs: { ...count, description: 'How much time is left.' },
      scope: isKnown ? agentScope : anything,
      input: (isKnown ? inputs[point.name] : undefined) ?? anything,
      decision: {
        type: 'object',
        description: 'What was decided; only where nobody waits.',
        properties: { type: text, by: text, reason: text },
        required: ['type'],
      },
    },
    required: [
      'protocol',
      'point',
      'hook',
      'run',
      'deadlineMs',
      'scope',
      'input',
    ],
  }
}

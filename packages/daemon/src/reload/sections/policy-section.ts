import {
  createPolicy,
  type PolicyOptions,
  type PolicyRule,
} from '@hookline/agent'
import {
  type CompileRegex,
  type ConfigSection,
  dataOf,
  described,
  type JsonSchema,
  list,
  object,
  refuse,
  type Shape,
  text,
  word,
} from '@hookline/agent/config'
import { count, milliseconds } from './parts.ts'
import { trustedLayers } from './trusted-layers.ts'

export type WrittenPolicy = Omit<PolicyOptions, 'match'>

type Network = NonNullable<PolicyOptions['network']>

const modes = ['read-only', 'ask-writes', 'open', 'deny-all'] as const
const sandboxes = ['none', 'workspace', 'read_only'] as const
const paths = text({ maxLength: 4096 })

const limitSchema: JsonSchema = {
  sandbox: { enum: sandboxes },
  roots: { type: 'array', items: { type: 'string' } },
  network: {
    anyOf: [
      { enum: ['none', 'all'] },
      {
        type: 'object',
        properties: { hosts: { type: 'array', items: { type: 'string' } } },
        required: ['hosts'],
        additionalProperties: false,
      },
    ],
  },
  timeoutMs: { type: 'number', exclusiveMinimum: 0 },
  maxOutputBytes: { type: 'number', exclusiveMinimum: 0 },
}

const condition: JsonSchema = { $ref: '#/definitions/condition' }

const ruleSchema: JsonSchema = {
  type: 'object',
  properties: {
    tool: condition,
    owner: condition,
    safety: condition,
    agent: condition,
    args: condition,
    decision: { enum: ['allow', 'deny', 'ask'] },
    reason: { type: 'string' },
    ...limitSchema,
  },
  required: ['decision'],
  additionalProperties: false,
}

function ruleShape(regex: CompileRegex): Shape<PolicyRule> {
  return {
    schema: ruleSchema,
    read(node, reading) {
      // A policy of this rule alone says whether it can be one.
      const data = dataOf(node) as unknown as PolicyRule
      const problem = problemOf({ rules: [data], match: { regex } })
      if (problem === undefined) return data
      const message = problem.replaceAll('`rules[0]', '`this rule')
      return refuse(node, reading, { code: 'wrong-value', message })
    },
  }
}

const network: Shape<Network> = {
  schema: limitSchema['network'] as JsonSchema, // written so above
  read(node, reading) {
    const data = dataOf(node) as unknown as Network
    const message = problemOf({ network: data })
    if (message === undefined) return data
    return refuse(node, reading, { code: 'wrong-value', message })
  },
}

function problemOf(options: PolicyOptions): string | undefined {
  try {
    createPolicy(options)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'It cannot be used.'
  }
}

export function policySection(
  regex: CompileRegex,
): ConfigSection<WrittenPolicy> {
  const shape = described(
    object<WrittenPolicy>(
      {
        mode: described(
          word(modes),
          'What holds where no rule fits; default: ask-writes.',
        ),
        rules: described(
          list(ruleShape(regex), { max: 1_000 }),
          'Of those that fit, deny counts before ask before allow.',
        ),
        sandbox: word(sandboxes),
        roots: list(paths, { max: 1_000 }),
        network,
        timeoutMs: milliseconds,
        maxOutputBytes: count,
        gated: described(
          list(paths, { max: 1_000 }),
          'Tools that run only if a hook has judged the call.',
        ),
      },
      [],
    ),
    'What agents may do without asking, with it, or not at all.',
  )
  return { name: 'policy', layers: trustedLayers, shape }
}

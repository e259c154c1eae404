import type { AgentConfig, JsonObject } from 'hookline/lifecycle'
import { AgentError } from '../../index.ts'
import type { MemoryPolicy } from './memory-policy.ts'

/** What an agent's config says under `plugins.memory`. */
export interface MemoryConfig {
  /** What memories are kept under; default: the agent's name. */
  readonly namespace: string
  /** How many memories a recall brings; default 5. */
  readonly recallLimit: number
  /** Holds for every turn, so that no turn is looked at. */
  readonly policy?: MemoryPolicy
}

const maxRecall = 20

/** Undefined: the agent has no memory. */
export function readMemoryConfig(
  config: AgentConfig,
): MemoryConfig | undefined {
  const given = config.plugins?.['memory']
  if (given === undefined) return undefined
  const { namespace = config.name, recallLimit = 5, policy, ...rest } = given
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) {
    throw refused(config, `has an unknown "${unknown}"`)
  }
  if (typeof namespace !== 'string' || namespace === '') {
    throw refused(config, 'has a namespace that is no text')
  }
  if (!isCount(recallLimit)) {
    throw refused(config, `needs a recallLimit from 1 to ${maxRecall}`)
  }
  if (policy === undefined) return { namespace, recallLimit }
  if (!isPolicy(policy)) {
    throw refused(config, 'needs a policy of {"read": …, "write": …}')
  }
  return { namespace, recallLimit, policy }
}

function isCount(value: unknown): value is number {
  return (
    Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxRecall
  )
}

function isPolicy(value: unknown): value is JsonObject & MemoryPolicy {
  if (typeof value !== 'object' || value === null) return false
  const { read, write, ...rest } = value as Record<string, unknown> // an object
  const isWhole = typeof read === 'boolean' && typeof write === 'boolean'
  return isWhole && Object.keys(rest).length === 0
}

function refused({ name }: AgentConfig, problem: string): AgentError {
  const message = `The memory of agent "${name}" ${problem}; correct plugins.memory in its config.`
  return new AgentError('invalid-config', message)
}

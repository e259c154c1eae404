import { freezeDeep } from 'hookline'
import type { AgentConfig, PromptBudgets } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'

const namePattern = /^[\w.:/@-]{1,128}$/
const lists = ['tools', 'skills', 'mcpServers', 'subagents'] as const

/** Everything that an agent's config can say. */
export const configKeys: ReadonlySet<string> = new Set<keyof AgentConfig>([
  'name',
  'description',
  'model',
  'instructions',
  'fragments',
  'settings',
  'tools',
  'skills',
  'mcpServers',
  'subagents',
  'limits',
  'compaction',
  'budgets',
  'core',
  'parent',
  'isEphemeral',
  'plugins',
])

/** A config that an agent can be made from, before and after hooks built it. */
export function checkConfig(
  config: AgentConfig,
  before: AgentConfig = config,
): AgentConfig {
  const problem = problemOf(config, before)
  if (problem === undefined) return freezeDeep({ ...config })
  const message = `Agent "${String(before?.name)}" ${problem}.`
  throw new AgentError('invalid-config', message)
}

function problemOf(
  config: AgentConfig,
  before: AgentConfig,
): string | undefined {
  if (typeof config !== 'object' || config === null) return 'has no config'
  const unknown = Object.keys(config).find((key) => !configKeys.has(key))
  if (unknown !== undefined) return `has an unknown "${unknown}"`
  const { name, model, instructions } = config
  if (typeof name !== 'string' || !namePattern.test(name)) {
    return 'needs a name of letters, digits and . : / @ _ - (at most 128)'
  }
  if (name !== before.name || config.parent !== before.parent) {
    return 'was given another name or parent by a hook'
  }
  if (typeof model !== 'string' || model === '') return 'names no model'
  if (typeof instructions !== 'string') return 'has no instructions'
  for (const list of lists) {
    const names: unknown = config[list] ?? []
    const isText = (one: unknown) => typeof one === 'string'
    if (
      config[list] === null ||
      !Array.isArray(names) ||
      !names.every(isText)
    ) {
      return `has "${list}" that is no list of names`
    }
  }
  return (
    checkNumbers('limits', config.limits, knownLimits) ??
    checkNumbers('compaction', config.compaction, knownCompaction) ??
    checkBudgets(config.budgets)
  )
}

const knownLimits = [
  'maxSteps',
  'maxToolCalls',
  'maxTokens',
  'maxCost',
  'maxWallMs',
  'maxDepth',
  'maxContinues',
]
const knownCompaction = ['maxTokens', 'softShare', 'hardShare', 'keepMessages']
const knownBudgets = {
  context: ['maxEntries', 'maxCodePoints'],
  sections: ['maxSections', 'maxSectionCodePoints', 'maxCodePoints'],
}

function checkBudgets(given: PromptBudgets | undefined): string | undefined {
  if (given === undefined) return undefined
  if (!isObject(given)) return 'has "budgets" that are none'
  const { context, sections, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `has an unknown budget "${unknown}"`
  return (
    checkNumbers('budgets.context', context, knownBudgets.context) ??
    checkNumbers('budgets.sections', sections, knownBudgets.sections)
  )
}

/** A limit that is misspelt, or no number, would be none. */
function checkNumbers(
  what: string,
  given: object | undefined,
  known: readonly string[],
): string | undefined {
  if (given === undefined) return undefined
  if (!isObject(given)) return `has "${what}" that are none`
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      return `has an unknown "${name}"; known are ${known.join(', ')}`
    }
    if (typeof value !== 'number' || !(value > 0)) {
      return `has a "${name}" that is no positive number`
    }
  }
  return undefined
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

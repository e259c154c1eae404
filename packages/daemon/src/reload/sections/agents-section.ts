import {
  type ConfigSection,
  described,
  jsonObject,
  list,
  number,
  object,
  record,
  type Shape,
  text,
  word,
} from '@hookline/agent/config'
import { compileCondition } from 'hookline'
import type {
  AgentConfig,
  ContextBudget,
  ModelSettings,
  SectionBudget,
} from 'hookline/lifecycle'
import { checked, count, milliseconds, modelName, name } from './parts.ts'

/** An agent as files write it: the model may be the default one. */
export type WrittenAgent = Omit<
  AgentConfig,
  'model' | 'instructions' | 'fragments' | 'parent' | 'isEphemeral'
> & {
  readonly model?: string
  readonly instructions?: string
}

const words = text({ maxLength: 1_000_000, mayBeEmpty: true })
const glob = checked(
  text({
    pattern: /^[\w.:/@*?{},-]{1,128}$/,
    kind: 'a name, in which *, ? and {a,b} may stand for others',
    maxLength: 128,
  }),
  (pattern) => void compileCondition(pattern),
)
const globs = list(glob, { max: 1_000 })
const share = number({ min: 0.01, max: 1 })

/** What else a model can be told is a matter of single turns. */
type WrittenSettings = Omit<ModelSettings, 'responseSchema' | 'toolChoice'>

const settings = object<WrittenSettings>(
  {
    maxOutputTokens: count,
    temperature: number({ min: 0, max: 10 }),
    topP: number({ min: 0, max: 1 }),
    stopSequences: list(text(), { max: 100 }),
    reasoningEffort: word(['none', 'low', 'medium', 'high']),
    providerOptions: described(
      record(jsonObject, { keys: /^[\w-]{1,64}$/, kind: 'provider', max: 20 }),
      'Settings of one provider, under its name.',
    ),
  },
  [],
)

const budgets = object<NonNullable<AgentConfig['budgets']>>(
  {
    context: object<ContextBudget>(
      { maxEntries: count, maxCodePoints: count },
      [],
    ),
    sections: object<SectionBudget>(
      {
        maxSections: count,
        maxSectionCodePoints: count,
        maxCodePoints: count,
      },
      [],
    ),
  },
  [],
)

const agent: Shape<WrittenAgent> = object<WrittenAgent>(
  {
    name: described(name, 'What it is called in sessions and records.'),
    description: described(words, 'What it is for; other agents are told.'),
    model: described(
      modelName,
      'As provider/model-id; default: the default of `models`.',
    ),
    instructions: described(words, 'What it is told first, every time.'),
    settings,
    tools: described(
      globs,
      'Names or globs of the tools it may use; absent: all, []: none.',
    ),
    skills: described(
      globs,
      'The same of skills, as far as the plugin has them.',
    ),
    mcpServers: described(globs, 'The same of MCP servers.'),
    subagents: described(
      globs,
      'The same of agents that it may hand work on to.',
    ),
    limits: object<NonNullable<AgentConfig['limits']>>(
      {
        maxSteps: count,
        maxToolCalls: count,
        maxTokens: count,
        maxCost: number({ min: 0.000_001 }),
        maxWallMs: milliseconds,
        maxDepth: count,
        maxContinues: count,
      },
      [],
    ),
    compaction: object<NonNullable<AgentConfig['compaction']>>(
      {
        maxTokens: count,
        softShare: share,
        hardShare: share,
        keepMessages: count,
      },
      [],
    ),
    budgets: described(budgets, 'How much hooks may write into its prompts.'),
    core: described(name, 'What runs its turns; default: loop.'),
    plugins: described(
      record(jsonObject, {
        keys: /^[a-z][a-z0-9-]{0,63}$/,
        kind: 'name of a plugin',
        max: 100,
      }),
      'What plugins want to know of it, such as `memory: {}` for a memory.',
    ),
  },
  ['name'],
)

export const agentsSection: ConfigSection<readonly WrittenAgent[]> = {
  name: 'agents',
  needsTrust: true,
  shape: described(
    checked(list(agent, { max: 1_000 }), (agents) => {
      const seen = new Set<string>()
      const twice = agents.find((one) => {
        const isKnown = seen.has(one.name)
        seen.add(one.name)
        return isKnown
      })
      if (twice === undefined) return undefined
      return `Two agents of this file are named "${twice.name}"; rename one.`
    }),
    'The agents that there are; default: one that is called main.',
  ),
}

import type { Scenario } from './scenario.ts'

/** How often the tool and the hooks ran. */
export interface Tally {
  toolRuns: number
  hookRuns: number
}

/** What a framework is to do in a turn. */
export interface Work {
  readonly scenario: Scenario
  /** How many; each counts its runs and changes nothing. */
  readonly hooks: number
  readonly tally: Tally
}

/** An agent that is ready to take turns. */
export interface PreparedAgent {
  /** How often one hook is called in a turn. */
  readonly callsPerHook: number
  /** Takes a turn in a conversation of its own, and gives the reply. */
  takeTurn(): Promise<string>
}

type PrepareAgent = (work: Work) => PreparedAgent | Promise<PreparedAgent>

export interface Framework {
  /** As `--only` names it. */
  readonly key: string
  readonly name: string
  /** Imported only when it takes part: some need long to load. */
  readonly load: () => Promise<PrepareAgent>
}

export const ours = 'hookline'
export const bareLoop = 'bare loop'
export const pi = 'pi-agent-core'

export const frameworks: readonly Framework[] = [
  {
    key: 'bare',
    name: bareLoop,
    load: async () => (await import('./bare-loop.ts')).prepareBareLoop,
  },
  {
    key: 'hookline',
    name: ours,
    load: async () => (await import('./hookline.ts')).prepareHookline,
  },
  {
    key: 'pi',
    name: pi,
    load: async () => (await import('./pi-agent-core.ts')).preparePi,
  },
  {
    key: 'ai',
    name: 'AI SDK',
    load: async () => (await import('./ai-sdk.ts')).prepareAiSdk,
  },
  {
    key: 'openai',
    name: 'OpenAI Agents',
    load: async () => (await import('./openai-agents.ts')).prepareOpenAiAgents,
  },
  {
    key: 'langchain',
    name: 'LangChain',
    load: async () => (await import('./langchain.ts')).prepareLangChain,
  },
]

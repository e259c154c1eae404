import type {
  Clock,
  Contributed,
  EngineOptions,
  Hook,
  MemoryState,
  TableOptions,
} from 'hookline'
import type { AgentScope, BoundTool } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { ApprovalsPort } from '../ports/approvals.ts'
import type { BackgroundPort } from '../ports/background.ts'
import type { Core } from '../ports/core.ts'
import type { ModelRegistry } from '../ports/model.ts'
import type { PolicyPort } from '../ports/policy.ts'
import type { PreflightPort } from '../ports/preflight.ts'
import type { SessionStore } from '../ports/store.ts'
import type { Plugin } from './plugin.ts'

/** What a runtime is made from; everything has a default. */
export interface RuntimeOptions {
  /** Hooks of every agent. */
  readonly hooks?: readonly Hook[]
  /** How patterns in matchers are read, and whether hooks only evaluate. */
  readonly table?: TableOptions
  /** Subsystems with tools, hooks and state of their own. */
  readonly plugins?: readonly Plugin[]
  /** What agents are told of the machine; default: what it is, for plugins. */
  readonly environment?: string
  /** Tools of every agent that its config allows them to. */
  readonly tools?: readonly BoundTool[]
  /** Default: `anthropic/…` and `openai/…`, with keys from the environment. */
  readonly models?: ModelRegistry
  /** Default: what writes has to be asked for. */
  readonly policy?: PolicyPort
  /** Puts questions to people; without it nobody can agree to anything. */
  readonly approvals?: ApprovalsPort
  /** Where sessions are kept; without it they are gone with the process. */
  readonly store?: SessionStore
  readonly preflight?: PreflightPort
  /** Has tasks done that nobody waits for; without it none can be handed on. */
  readonly background?: BackgroundPort
  /** Cores beside the step loop. */
  readonly cores?: readonly Core[]
  /** Where shared state is; default: in memory. */
  readonly state?: MemoryState
  readonly clock?: Clock
  /** New ids, unlike all others. */
  readonly nextId?: () => string
  /** Ports and limits of the engine. */
  readonly engine?: Omit<EngineOptions, 'clock' | 'collect' | 'state'>
  /** Takes audit entries and jobs that hooks contribute. */
  readonly collect?: (contributed: Contributed, scope: AgentScope) => void
  /** Hears of what must not happen: a call without a receipt, and the like. */
  readonly onAlarm?: (code: string, about: string) => void
  /** How many tools of a step run at the same time; default 8. */
  readonly toolConcurrency?: number
  /** How long a cancelled tool may take to end by itself; default 5 s. */
  readonly graceMs?: number
}

const known: ReadonlySet<string> = new Set<keyof RuntimeOptions>([
  'hooks',
  'plugins',
  'environment',
  'table',
  'tools',
  'models',
  'policy',
  'approvals',
  'store',
  'preflight',
  'background',
  'cores',
  'state',
  'clock',
  'nextId',
  'engine',
  'collect',
  'onAlarm',
  'toolConcurrency',
  'graceMs',
])

/** An option that is misspelt would be one that was not given. */
export function checkOptions(options: RuntimeOptions): void {
  const unknown = Object.keys(options).find((key) => !known.has(key))
  if (unknown === undefined) return
  const message = `There is no option "${unknown}"; there are: ${[...known].join(', ')}.`
  throw new AgentError('invalid-config', message)
}

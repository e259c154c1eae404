import type { Clock, Contributed, Engine, MaybePromise, Table } from 'hookline'
import type {
  AgentConfig,
  AgentScope,
  BoundTool,
  CheckedArgs,
  DelegatedResult,
  DelegatedTask,
  HandedOn,
  JsonObject,
  SealedCall,
  ToolDeclaration,
  ToolResult,
} from 'hookline/lifecycle'
import type { ApprovalsPort } from '../ports/approvals.ts'
import type { Core } from '../ports/core.ts'
import type { ModelRegistry } from '../ports/model.ts'
import type { PolicyPort } from '../ports/policy.ts'
import type { PreflightPort } from '../ports/preflight.ts'
import type { SessionStore } from '../ports/store.ts'
import type { Receipts } from '../seal/receipts.ts'
import type { Timeouts } from './timeouts.ts'
import type { Turn } from './turn.ts'

/** What turns are run with; one set for all of a runtime. */
export interface LoopParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly models: ModelRegistry
  readonly store: SessionStore | undefined
  readonly approvals: ApprovalsPort | undefined
  readonly preflight: PreflightPort
  readonly receipts: Receipts
  readonly nextId: () => string
  readonly checkArgs: (
    tool: BoundTool,
    args: JsonObject,
  ) => MaybePromise<CheckedArgs>
  /** Whether anybody has a tool with this name. */
  readonly isTool: (name: string) => boolean
  readonly delegate: (
    turn: Turn,
    task: DelegatedTask,
    signal: AbortSignal,
  ) => Promise<DelegatedResult>
  /** The same without waiting for it. */
  readonly handOn: (turn: Turn, task: DelegatedTask) => Promise<HandedOn>
  /** Takes audit entries and jobs that hooks contribute. */
  readonly collect: (contributed: Contributed, scope: AgentScope) => void
  readonly alarm: (code: string, about: string) => void
  /** How many tools of a step run at the same time. */
  readonly toolConcurrency: number
  /** How long a cancelled tool may take to end by itself. */
  readonly graceMs: number
}

/** An agent that can take turns. */
export interface LiveAgent {
  /** As it was built. */
  readonly config: AgentConfig
  readonly parents: readonly string[]
  readonly core: Core
  readonly policy: PolicyPort
  readonly tools: ToolSet
  /** What its own config and those of all above it allow. */
  readonly toolLists: readonly (readonly string[])[]
  /** The same for the agents that work may be handed on to. */
  readonly subagentLists: readonly (readonly string[])[]
  /** The newest; what has begun on an older one ends on it. */
  readonly table: Table
}

/** The tools that an agent has, by name, each with its one owner. */
export interface ToolSet {
  readonly byName: ReadonlyMap<string, OwnedTool>
  readonly declarations: readonly ToolDeclaration[]
}

export interface OwnedTool {
  readonly tool: BoundTool
  readonly owner: string
  readonly definitionHash: string
}

/** What a turn needs of the session that it belongs to. */
export interface TurnSession {
  readonly id: string
  /** The sessions that it works for, outermost first. */
  readonly within: readonly string[]
  /** Hands a call to the client of the session. */
  readonly forward: (
    call: SealedCall,
    signal: AbortSignal,
  ) => Promise<ToolResult>
}

import type { Hook, ScopeIds, State, TableOptions } from 'hookline'
import type { BoundTool } from 'hookline/lifecycle'
import type { LoopParts, ToolSet } from '../loop/parts.ts'
import type { Core } from '../ports/core.ts'
import type { PolicyPort } from '../ports/policy.ts'
import type { Plugins } from './plugins.ts'

export interface AgentOptions {
  /** Hooks of this agent and its sub-agents, beside the runtime's. */
  readonly hooks?: readonly Hook[]
  /** Tools of this agent, beside the runtime's. */
  readonly tools?: readonly BoundTool[]
  /** Default: the runtime's. */
  readonly policy?: PolicyPort
}

/** What all agents of a runtime have in common. */
export interface AgentsContext {
  readonly parts: LoopParts
  readonly tools: ToolSet
  readonly policy: PolicyPort
  readonly cores: ReadonlyMap<string, Core>
  readonly plugins: Plugins
  readonly tableOptions: TableOptions
  readonly stateAt: (ids: ScopeIds) => State
  readonly endState: (scope: 'agent', id: string) => void
  readonly prepareTools: (tools: readonly BoundTool[]) => Promise<void>
  /** Something that is waited for when all work is. */
  readonly track: (work: Promise<unknown>) => void
}

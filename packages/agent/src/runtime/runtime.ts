import type { Engine, Hook, HookContext, PointShape, Table } from 'hookline'
import type {
  Actor,
  AgentConfig,
  EndedCall,
  JsonObject,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import type { SubscribeOptions, Subscription } from '../events/subscription.ts'
import type { AgentOptions } from './agents.ts'
import type { Session } from './session.ts'

/** Agents, their sessions and their hooks, in one process. */
export interface Runtime {
  /** What every hook runs on. */
  readonly engine: Engine
  /** The agents that can take turns, as they were built. */
  readonly agents: readonly AgentConfig[]
  /** The hooks of an agent as they are planned now. */
  tableOf(agent: string): Table
  /** Visible means: built, and every hook has its state in place. */
  register(config: AgentConfig, options?: AgentOptions): Promise<AgentConfig>
  /** Its turns are cancelled, hooks let go, then it is gone. */
  unregister(name: string): Promise<void>
  /** Begins a session, or goes on with one that is kept in the store. */
  openSession(options: SessionOptions): Promise<Session>
  /** A session that is open in this process. */
  session(id: string): Session | undefined
  /** Puts other hooks in place of the runtime's; a bad table changes nothing. */
  swapHooks(hooks: readonly Hook[]): void
  /** The events of all sessions from now on. */
  subscribe(options?: SubscribeOptions): Subscription
  /**
   * For hooks: calls a model on behalf of the turn that the hook runs in. It
   * passes every gate but the hook's own, and counts in the turn's budget.
   */
  callModel(context: AnyContext, request: ModelRequest): Promise<ModelResponse>
  /** For hooks: the same with a tool. */
  callTool(context: AnyContext, call: HookToolCall): Promise<EndedCall>
  /** Settles when everything that goes on behind the turns has ended. */
  drain(): Promise<void>
  /** Closes sessions and unregisters agents. */
  close(): Promise<void>
}

/** The context of any hook that is waited for. */
export type AnyContext = HookContext<PointShape>

export interface HookToolCall {
  readonly tool: string
  readonly args: JsonObject
}

export interface SessionOptions {
  readonly agent: string
  /** Of a session that is kept already, it goes on; default: a new one. */
  readonly id?: string
  /** Where its tools work; default: nowhere in particular. */
  readonly cwd?: string
  readonly actor?: Actor
}

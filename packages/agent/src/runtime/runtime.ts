import type {
  Engine,
  Hook,
  HookContext,
  PointShape,
  Table,
  TableOptions,
} from 'hookline'
import type {
  Actor,
  AgentConfig,
  EndedCall,
  JsonObject,
  ModelRequest,
  ModelResponse,
  Reply,
  SafetyClass,
  SessionEndReason,
  UserContent,
} from 'hookline/lifecycle'
import type { SubscribeOptions, Subscription } from '../events/subscription.ts'
import type { ModelPrice } from '../ports/model.ts'
import type { SessionParent } from '../ports/store.ts'
import type { AgentPath, FoundTable } from './agent-tables.ts'
import type { AgentOptions } from './agents-context.ts'
import type { Session } from './session.ts'

/** Agents, their sessions and their hooks, in one process. */
export interface Runtime {
  /** What every hook runs on. */
  readonly engine: Engine
  /** The agents that can take turns, as they were built. */
  readonly agents: readonly AgentConfig[]
  /** The hooks of an agent as they are planned now. */
  tableOf(agent: string): Table
  /**
   * The hooks of a moment that has passed: of the agent, and of those that it
   * worked for. Undefined if none of them is here.
   */
  tableFor(scope: AgentPath): FoundTable | undefined
  /** The tools it has, but for those that hooks contribute to a turn. */
  toolsOf(agent: string): readonly AgentTool[]
  /** Visible means: built, and every hook has its state in place. */
  register(config: AgentConfig, options?: AgentOptions): Promise<AgentConfig>
  /**
   * Makes an agent from another config. Turns that run go on with what they
   * began with; hooks at `agent.register` hear of it. What fails changes nothing.
   */
  update(config: AgentConfig, options?: AgentOptions): Promise<AgentConfig>
  /**
   * Its turns are cancelled, hooks let go, then it is gone. `waits`: it takes
   * no more turns, and those that run come to their end first.
   */
  unregister(
    name: string,
    options?: { readonly waits?: boolean },
  ): Promise<void>
  /** Begins a session, or goes on with one that is kept in the store. */
  openSession(options: SessionOptions): Promise<Session>
  /**
   * Ends a session that is kept and not open, without beginning it again: its
   * agent need not be here, and no gate is asked. Whether there was one to end.
   */
  endSession(id: string, reason?: SessionEndReason): Promise<boolean>
  /** A session that is open in this process. */
  session(id: string): Session | undefined
  /**
   * The tables that agents would have with other hooks in place of the
   * runtime's, by their names. Throws as `swapHooks` does; nothing changes.
   */
  tablesWith(
    hooks: readonly Hook[],
    options?: TableOptions,
  ): ReadonlyMap<string, Table>
  /**
   * Puts other hooks in place of the runtime's; a bad table changes nothing.
   * Options stay as they are where none are given.
   */
  swapHooks(hooks: readonly Hook[], options?: TableOptions): void
  /** The events of all sessions from now on. */
  subscribe(options?: SubscribeOptions): Subscription
  /**
   * For hooks: calls a model on behalf of the turn that the hook runs in. It
   * passes every gate but the hook's own, and counts in the turn's budget. At
   * `session.end` no turn runs: there, what hooks ask has a budget of its own,
   * as large as a turn's.
   */
  callModel(context: AnyContext, request: ModelRequest): Promise<ModelResponse>
  /** For hooks: the same with a tool. */
  callTool(context: AnyContext, call: HookToolCall): Promise<EndedCall>
  /**
   * For hooks: calls the session that the hook runs in something, as lists show
   * it, in place of what it was called before. It is made one line of at most
   * 100 characters without secrets. Gives what is kept; null: nothing is.
   * Whoever listens to the engine hears of it as a `hook-event` with
   * `{ type: 'session-title', sessionId, title }`.
   */
  titleSession(context: AnyContext, title: string): Promise<string | null>
  /** Whether titles are kept: without a store, or without content, none is. */
  readonly keepsTitles: boolean
  /** For hooks: what a model costs; undefined where nobody says. */
  priceOf(model: string): Promise<ModelPrice | undefined>
  /** For hooks: something must not have happened; goes where alarms go. */
  alarm(code: string, about: string): void
  /**
   * For whoever has tasks done in the background: asks hooks whether the reply
   * to one will do. What they want it told, if it will not.
   */
  judgeTask(task: EndedTask): Promise<UserContent | undefined>
  /** Settles when everything that goes on behind the turns has ended. */
  drain(): Promise<void>
  /** Closes sessions and unregisters agents. */
  close(): Promise<void>
}

/** A tool that an agent has, and whose it is. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly owner: string
  readonly safety: SafetyClass
  /** A JSON Schema of its arguments. */
  readonly inputSchema: JsonObject
}

/** A task that was done in the background. */
export interface EndedTask {
  /** The agent that did it. */
  readonly agent: string
  readonly cwd: string
  /** Who handed it on. */
  readonly parent: SessionParent
  readonly task: string
  readonly reply: Reply
  /** How often hooks have kept it going. */
  readonly continuesSoFar: number
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
  /** It goes on with one that is kept, and begins none in its place. */
  readonly isKept?: boolean
  /** Where its tools work, for good; default: nowhere in particular. */
  readonly cwd?: string
  readonly actor?: Actor
}

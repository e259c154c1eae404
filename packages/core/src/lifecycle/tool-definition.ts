import type { AgentConfig } from './agent-config.ts'
import type { Reply } from './content.ts'
import type { JsonObject } from './json.ts'
import type { Actor, AgentScope } from './scope.ts'
import type { SafetyClass, SealedCall, ToolResult } from './tool-call.ts'
import type { TurnStatus } from './turn-end.ts'

/** What a model sees of a tool. */
export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON Schema; arguments are checked against it after every rewrite. */
  readonly inputSchema: JsonObject
}

export interface ToolDefinition extends ToolDeclaration {
  readonly safety: SafetyClass
  /** May be repeated when a crash has left its outcome unknown. */
  readonly idempotent?: boolean
  /**
   * How long it may take, if the grant allows that much. What sub-agents take
   * does not count: their turns have limits.
   */
  readonly timeoutMs?: number
  /** A person answers it, and does nothing else: no time limit is about that. */
  readonly waitsForPeople?: boolean
}

/** A tool with what runs it; the two never part. */
export interface BoundTool extends ToolDefinition {
  readonly dispatch: ToolDispatch
  /** Instead of checking against `inputSchema`, and may fill in defaults. */
  readonly checkArgs?: ArgsCheck
}

/** The arguments as the tool takes them, or what is wrong with them. */
export type CheckedArgs =
  | { readonly args: JsonObject; readonly problem?: undefined }
  | { readonly problem: string }

export type ArgsCheck = (
  args: JsonObject,
) => CheckedArgs | PromiseLike<CheckedArgs>

/** Runs a call. A throw is an error of the tool, told to the model as such. */
export type ToolDispatch = (
  call: SealedCall,
  context: ToolContext,
) => ToolResult | PromiseLike<ToolResult>

export interface ToolContext {
  /** The call as it was sealed, with the grant that it runs under. */
  readonly call: SealedCall
  readonly scope: AgentScope
  readonly signal: AbortSignal
  /** Tells whoever watches how far it has come. */
  progress(text: string): void
  /** Hands the call to the client of the session, and waits for its result. */
  forward(): Promise<ToolResult>
  /** Has another agent do a task, within what this one may do. */
  delegate(task: DelegatedTask): Promise<DelegatedResult>
  /**
   * The same without waiting: the session gets what it comes to as a turn of
   * its own, with origin `background`. Refused where nobody would bring that.
   */
  handOn(task: DelegatedTask): Promise<HandedOn>
  /**
   * A person is asked, until what it gives is called, or the call has ended: no
   * time limit is about that.
   */
  beginWait(): () => void
  /** What it comes to has words of somebody: the turn is on their behalf, too. */
  joinIn(by: Actor): void
}

/** Work for another agent: a registered one, or one made for this task. */
export interface DelegatedTask {
  readonly agent: string | AgentConfig
  readonly task: string
}

/** A task that is done behind the turn; its id is that of its session. */
export type HandedOn =
  | { readonly type: 'begun'; readonly id: string }
  | { readonly type: 'refused'; readonly reason: string }

export interface DelegatedResult {
  readonly status: TurnStatus
  readonly reply: Reply
  /** Why it did not succeed. */
  readonly reason?: string
}

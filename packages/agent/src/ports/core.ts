import type { MaybePromise } from 'hookline'
import type {
  AgentConfig,
  AgentScope,
  Message,
  ModelResponse,
  PointName,
  Reply,
  StopReason,
  ToolCallBlock,
  ToolDeclaration,
  TurnError,
  TurnStatus,
  UserContent,
} from 'hookline/lifecycle'

/**
 * What turns an input into a reply. The step loop is one; a planner, a single
 * call or another program can be others.
 */
export interface Core {
  readonly type: string
  /**
   * The points that its turns pass, of those that are a core's to pass. A hook
   * on another of them would never run, so it is refused at registration.
   */
  readonly honours: readonly PointName[]
  /** Whether its turns can be taken up again; such a core finishes steps. */
  readonly canResume?: boolean
  run(turn: CoreTurn): Promise<CoreEnd>
}

/** A turn as its core sees it: each step of the way is one of these. */
export interface CoreTurn {
  readonly agent: AgentConfig
  readonly content: UserContent
  readonly scope: AgentScope
  /** Aborted when the turn is cancelled or out of time. */
  readonly signal: AbortSignal
  readonly tools: readonly ToolDeclaration[]
  /** The conversation up to here, as a model would be shown it. */
  readonly messages: readonly Message[]
  /** Passes the phases of the prompt; what hooks contribute is in it then. */
  compilePrompt(): MaybePromise<void>
  /**
   * Makes the calls that another process has left, if the turn was interrupted
   * there; undefined: the turn goes on. Comes after the prompt.
   */
  finishStep(): MaybePromise<CoreEnd | undefined>
  /** Passes `runtime.turn_pre_context`; for cores that are other programs. */
  externalContext(): Promise<string>
  /** Begins a step: takes what the user has said since, keeps the limits. */
  beginStep(): MaybePromise<CoreEnd | undefined>
  /** Asks the model, with all that `llm.*` hooks say about it. */
  callModel(): Promise<ModelReply | CoreEnd>
  /** Runs calls through the sealed pipeline, and commits the step. */
  callTools(reply: ModelReply): Promise<CoreEnd | undefined>
  /** Asks whether this is the end; undefined: the turn goes on. */
  askStop(reply: ModelReply): MaybePromise<CoreEnd | undefined>
}

/** What the model said in a step, as the gates have let it pass. */
export interface ModelReply {
  readonly type: 'reply'
  readonly response: ModelResponse
  readonly calls: readonly ToolCallBlock[]
}

/** How a turn ended, as far as its core is concerned. */
export interface CoreEnd {
  readonly type: 'end'
  readonly status: TurnStatus
  readonly reply: Reply
  /** Why, where it did not simply succeed. */
  readonly reason?: string
  /** The hook that ended it. */
  readonly by?: string
  readonly error?: TurnError
  readonly stopReason?: StopReason
}

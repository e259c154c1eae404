import type { HookContext, MaybePromise, PointShape, State } from 'hookline'
import type {
  Actor,
  AgentEvent,
  AgentLimits,
  AgentScope,
  EffectivePolicy,
  EventPlace,
  MergedEntry,
  PromptManifest,
  SystemMessage,
  ToolSummary,
  UserContent,
} from 'hookline/lifecycle'
import type { ReplyStream } from '../events/reply-stream.ts'
import type { ModelReply } from '../ports/core.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { OutputSchema } from '../tools/output-schema.ts'
import type { Cancellation } from './cancellation.ts'
import type { Conversation } from './conversation.ts'
import type { LiveAgent, LoopParts, ToolSet, TurnSession } from './parts.ts'
import type { Tally } from './tally.ts'

/** Everything one turn is made of. The last part changes as it goes on. */
export interface Turn {
  readonly parts: LoopParts
  readonly agent: LiveAgent
  readonly session: TurnSession
  readonly id: string
  /** The sender's own id of the input, by which it is known again. */
  readonly inputId: string | undefined
  /** What tells another input with that id from the same one. */
  readonly digest: string | undefined
  /** How many wakes led to it. */
  readonly depth: number
  readonly conversation: Conversation
  readonly tally: Tally
  readonly limits: AgentLimits
  /** Its own and those of the turns that it works for. */
  readonly budgets: readonly Budget[]
  readonly state: State
  readonly events: TurnEvents
  readonly signal: Cancellation
  /** The schema that the reply has to be a value of. */
  readonly output: OutputSchema | undefined
  /** What the user has said since the turn began. */
  readonly steering: Steering[]
  /** The hook that this is done for, if one asked for it. */
  readonly parent: HookContext<PointShape> | undefined
  /** The turn that waits for it, if one does. */
  readonly waiter: Turn | undefined
  readonly startedMs: number
  /** The same by the wall clock, as it stood then. */
  readonly startedAt: number
  /** What an earlier process has left of it. */
  readonly open: OpenTurn | undefined
  /** It does not go on: what was left of it is only brought to an end. */
  readonly isAbandoned: boolean
  readonly progress: TurnProgress
}

/** What may be used, and what has been. */
export interface Budget {
  readonly limits: AgentLimits
  readonly tally: Tally
}

export interface TurnProgress {
  content: UserContent
  scope: AgentScope
  /** The agent's, and those that hooks brought for this turn. */
  tools: ToolSet
  system: SystemMessage | undefined
  policies: readonly EffectivePolicy[]
  /** What hooks have brought along with the input. */
  context: readonly MergedEntry[]
  step: number
  isInStep: boolean
  /** The journal has the reply whose calls are being made. */
  isStepOpen: boolean
  /** The journal has the turn's beginning. */
  isRecorded: boolean
  /** Steps since the step limit was last renewed. */
  budgetedSteps: number
  continues: number
  /** How many blocks of text have gone out. */
  blocks: number
  /** The newest reply, until its calls are made. */
  reply: ModelReply | undefined
  /** The same, as far as it has not gone out yet. */
  stream: ReplyStream | undefined
  /** Who wrote which piece of the prompt, where it has more than one. */
  prompt: PromptManifest | undefined
  outputRetries: number
  readonly calls: ToolSummary[]
  /** The ids of all calls that the model has made. */
  readonly callIds: Set<string>
  /** Tools that hooks brought and the agent may not have. */
  withheldTools: readonly string[]
  /** Whether a tool has been run. */
  hasActed: boolean
  /** Messages that the conversation has gained, and the journal not yet. */
  readonly taken: string[]
  /** On whose behalf it goes on, where the journal does not know yet. */
  joined: Actor | undefined
  /** What the model can take, as far as is known. */
  contextTokens: number | undefined
  /**
   * What is left to do when the turn has ended. Gives whether there is more that
   * nobody waits for; it says when that has ended, or is kept for later.
   */
  afterwards: ((observed: () => void) => MaybePromise<boolean>) | undefined
}

/** Something the user says while the turn runs, and who waits to hear of it. */
interface Steering {
  readonly content: UserContent
  readonly options: SteerOptions
  readonly settle: (steered: SteerOutcome) => void
}

export interface SteerOptions {
  /** The sender's own id, should it become a turn of its own. */
  readonly id?: string
  /** On whose behalf. */
  readonly actor?: Actor
  /** The message of an inbox that is done when the journal has its words. */
  readonly message?: string
}

/** What became of it; a turn that ended first leaves it to the next one. */
export type SteerOutcome =
  | { readonly type: 'taken' }
  | { readonly type: 'rejected'; readonly reason: string }
  | { readonly type: 'queued'; readonly turnId: string }

/** Omits from each member of a union, not from what they have in common. */
type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export type EventBody = OmitEach<AgentEvent, keyof EventPlace>

export interface TurnEvents {
  /** False while nobody would see an event: then none needs to be made. */
  readonly isWatched: boolean
  /** A promise asks to wait before the next event. */
  emit(event: EventBody): void | Promise<void>
}

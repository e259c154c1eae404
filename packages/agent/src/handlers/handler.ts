import type { Decision } from 'hookline'
import type {
  AgentScope,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import type { WireContribution } from './definition.ts'

export const protocol = 'hookline/1'

/** A moment as data: what a handler of any kind is told. */
export interface Envelope {
  readonly protocol: typeof protocol
  readonly point: string
  readonly hook: string
  /** The id of the run; an answer that names another one is none. */
  readonly run: string
  /** How much time is left when it is sent. */
  readonly deadlineMs: number
  /** Session, turn, agent, folder and the like. */
  readonly scope: AgentScope
  /** What the point has been asked with. */
  readonly input: unknown
  /** What was decided; only for hooks that nobody waits for. */
  readonly decision?: Decision
}

/** What a handler says, before anybody has checked it against the point. */
export interface HandlerReply {
  /** The text of one JSON answer; blank means that nothing was said. */
  readonly text: string
  /** A veto that is not part of the text, such as an exit code. */
  readonly veto?: string
  /** It has named the run in a way of its own, such as a signed header. */
  readonly isBound?: boolean
}

/** An answer as data, checked; what the point makes of it is still to be seen. */
export interface WireAnswer {
  readonly answer: { readonly type: string; readonly [key: string]: unknown }
  readonly contributions: readonly WireContribution[]
  readonly diagnostics: readonly WireDiagnostic[]
}

export interface WireDiagnostic {
  readonly code: string
  readonly message: string
}

/** What a handler has while it is called. */
export interface HandlerCall {
  readonly envelope: Envelope
  /** Aborted when the answer no longer counts. */
  readonly signal: AbortSignal
  /** How much time is left now. */
  readonly remainingMs: () => number
  /** Adds a line to the record of the run. */
  readonly diagnose: (code: string, message: string) => void
  /**
   * Throws where what is about to be started may no longer run. Whoever starts
   * a process or a thread asks right before: there may have been a queue.
   */
  readonly checkStart?: () => void
  /** Calls a model within the budget of the turn, without this hook. */
  readonly callModel: (request: ModelRequest) => Promise<ModelResponse>
}

/**
 * Something that can be asked. What goes wrong is thrown, as a
 * `HandlerFailure`; the failure policy of the hook then decides.
 */
export interface Handler {
  ask(call: HandlerCall): Promise<HandlerReply>
  /** Lets go of processes, threads and connections. */
  close?(): Promise<void>
}

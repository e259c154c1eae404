import type { MaybePromise } from 'hookline'
import type {
  EndedCall,
  Message,
  SealedCall,
  SessionEndReason,
  TurnStatus,
  TurnSummary,
} from 'hookline/lifecycle'

/** Where sessions are kept. What a promise is given for is kept before. */
export interface SessionStore {
  /** A session that was kept earlier; undefined if there is none. */
  load(sessionId: string): MaybePromise<StoredSession | undefined>
  create(session: SessionInfo): MaybePromise<void>
  /** Adds entries to the session's journal, all of them or none. */
  append(
    sessionId: string,
    entries: readonly JournalEntry[],
  ): MaybePromise<void>
  delete(sessionId: string): MaybePromise<void>
}

export interface SessionInfo {
  readonly id: string
  readonly agent: string
  readonly cwd: string
  readonly createdAt: number
}

/** Where a session stands, as its journal tells it. */
export interface StoredSession {
  readonly info: SessionInfo
  readonly messages: readonly Message[]
  /** How many turns it has had. */
  readonly turns: number
  /** It is over for good. */
  readonly isEnded: boolean
  /** The newest inputs that had an id, and how their turns ended. */
  readonly inputs: ReadonlyMap<string, TurnEnded>
  /** Calls of which nobody knows how they ended. */
  readonly openCalls: readonly SealedCall[]
}

/** One thing that has happened to a session, in the order it did. */
export type JournalEntry =
  | TurnStarted
  | CallSealed
  | CallEnded
  | StepCommitted
  | HistoryCompacted
  | TurnEnded
  | SessionEnded

export interface TurnStarted {
  readonly type: 'turn-start'
  readonly turnId: string
  readonly turn: number
  /** The sender's own id of the message, by which it is known again. */
  readonly inputId?: string
}

/** Written before the call runs: no action without its record. */
export interface CallSealed {
  readonly type: 'call-seal'
  readonly turnId: string
  readonly call: SealedCall
  /** The hooks that judged it, and what they said. */
  readonly verdicts: readonly CallVerdict[]
  /** No hook has judged it, and policy did not ask for one. */
  readonly isUngated: boolean
  readonly approvedBy?: string
}

export interface CallVerdict {
  readonly hook: string
  readonly point: string
  readonly answer: string
}

export interface CallEnded {
  readonly type: 'call-end'
  readonly turnId: string
  readonly ended: EndedCall
}

/** Messages that are now part of the conversation. */
export interface StepCommitted {
  readonly type: 'step-commit'
  readonly turnId: string
  readonly messages: readonly Message[]
}

/** The oldest messages gave way to a summary of them. */
export interface HistoryCompacted {
  readonly type: 'compaction'
  readonly removedCount: number
  /** What stands in their place. */
  readonly replacement: Message
}

export interface TurnEnded {
  readonly type: 'turn-end'
  readonly turnId: string
  readonly status: TurnStatus
  readonly summary: TurnSummary
  readonly inputId?: string
}

/** The session is over for good. */
export interface SessionEnded {
  readonly type: 'session-end'
  readonly reason: SessionEndReason
}

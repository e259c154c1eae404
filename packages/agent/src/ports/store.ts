import type { MaybePromise } from 'hookline'
import type {
  Actor,
  EndedCall,
  Message,
  Origin,
  PermissionQuestion,
  SealedCall,
  SessionEndReason,
  SystemMessage,
  TurnStatus,
  TurnSummary,
  Usage,
  UserContent,
} from 'hookline/lifecycle'

/** Where sessions are kept. What a promise is given for is kept before. */
export interface SessionStore {
  /**
   * A session that was kept earlier, from now on this process's own; undefined
   * if there is none. Throws `session-elsewhere` while another process has it.
   */
  load(sessionId: string): MaybePromise<StoredSession | undefined>
  create(session: SessionInfo): MaybePromise<void>
  /**
   * Adds entries to the session's journal, all of them or none. Throws
   * `session-elsewhere` if another process has taken the session over.
   */
  append(
    sessionId: string,
    entries: readonly JournalEntry[],
  ): MaybePromise<void>
  /** Lets go of a session, so that it can go on elsewhere. */
  release?(sessionId: string): MaybePromise<void>
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
  /** The turn that was running when its process stopped. */
  readonly openTurn: OpenTurn | undefined
}

/** A turn that has begun and not ended, as far as it got. */
export interface OpenTurn {
  readonly start: TurnStarted
  /** How often the conversation has gained something of it. */
  readonly commits: number
  /** The step whose calls were being made, if it had got that far. */
  readonly step: StepOpened | undefined
  /** Those calls by their ids. */
  readonly calls: ReadonlyMap<string, OpenCall>
}

/** How far a call of an open step has come; nothing at all if it never began. */
export interface OpenCall {
  /** People were being asked. */
  readonly waiting?: CallWaiting
  /** It was about to run, or ran: nobody knows, unless it has ended, too. */
  readonly sealed?: CallSealed
  readonly ended?: EndedCall
}

/** One thing that has happened to a session, in the order it did. */
export type JournalEntry =
  | TurnStarted
  | StepOpened
  | CallWaiting
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
  /** What the user said, as the gates let it in; absent if they did not. */
  readonly content?: UserContent
  readonly origin: Origin
  readonly actor?: Actor
  /** The sender's own id of the message, by which it is known again. */
  readonly inputId?: string
}

/** A reply whose calls are about to be made. It counts when it is committed. */
export interface StepOpened {
  readonly type: 'step-open'
  readonly turnId: string
  readonly step: number
  /** The conversation from some message on, which may be only shown. */
  readonly tail: ConversationTail
  readonly progress: StoredProgress
}

/** The newest messages: as the model is shown them, and as they are kept. */
export interface ConversationTail {
  readonly from: number
  /** How many of all messages are committed. */
  readonly committed: number
  readonly shown: readonly Message[]
  /** The same as history has them; null for what is only shown. */
  readonly kept: readonly (Message | null)[]
  /** Words that were added to a committed message, and what it was before. */
  readonly joined?: JoinedWords
}

export interface JoinedWords {
  readonly at: number
  readonly shown: Message
  readonly kept: Message | null
  readonly content: UserContent
}

/** What a turn has used up, and was told, when it was interrupted. */
export interface StoredProgress {
  readonly continues: number
  readonly budgetedSteps: number
  readonly toolCalls: number
  readonly usage: Usage
  readonly cost: number
  /** The system prompt that hooks had a part in. */
  readonly system?: SystemMessage
}

/** People are asked about a call; the answer may take days. */
export interface CallWaiting {
  readonly type: 'call-wait'
  readonly turnId: string
  readonly question: PermissionQuestion
}

/** Written before the call runs: no action without its record. */
export interface CallSealed {
  readonly type: 'call-seal'
  readonly turnId: string
  readonly call: SealedCall
  /** The hash of the table that the hooks which judged it are from. */
  readonly table: string
  /** The hooks that judged it, and what they said. */
  readonly verdicts: readonly CallVerdict[]
  /** No hook has judged it, and policy did not ask for one. */
  readonly isUngated: boolean
  readonly approvedBy?: string
  /** The approval that is used up by this. */
  readonly approvalId?: string
}

export interface CallVerdict {
  readonly hook: string
  readonly point: string
  readonly answer: string
  /** Wall-clock milliseconds. */
  readonly startedAt: number
  readonly latencyMs: number
}

export interface CallEnded {
  readonly type: 'call-end'
  readonly turnId: string
  readonly ended: EndedCall
  /** Of a call that was not run: the hooks that judged it. */
  readonly verdicts?: readonly CallVerdict[]
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

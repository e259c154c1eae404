import type { MaybePromise } from 'hookline'
import type {
  Actor,
  Answerer,
  EndedCall,
  JsonObject,
  MergedEntry,
  Message,
  Origin,
  PermissionQuestion,
  PromptManifest,
  SealedCall,
  SessionEndReason,
  TurnStatus,
  TurnSummary,
  UserContent,
} from 'hookline/lifecycle'
import type { StoredProgress, TurnSpent, TurnUse } from './turn-use.ts'

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
  /** Hooks have been told that a turn has ended, as its end said they would. */
  settle?(sessionId: string, turnId: string): MaybePromise<void>
  delete(sessionId: string): MaybePromise<void>
  /**
   * Deletes what was still written about a session after it was deleted; of one
   * that was begun anew under its id, nothing.
   */
  forget?(sessionId: string): MaybePromise<void>
  /**
   * Calls a session something else, and gives that as it is kept. Throws as
   * `append` does. Absent: what sessions are about is not kept.
   */
  title?(sessionId: string, title: string): MaybePromise<string | null>
  /**
   * Sessions that worked for one which waited for them, and have not ended.
   * Absent: none outlives its process.
   */
  children?(sessionId: string): MaybePromise<readonly string[]>
}

export interface SessionInfo {
  readonly id: string
  readonly agent: string
  readonly cwd: string
  readonly createdAt: number
  /** For whom it works; absent: for nobody but its user. */
  readonly parent?: SessionParent
}

/** Whom a session works for, and so no more than they may do. */
export interface SessionParent {
  /** The sessions, outermost first; the last one gets what it comes to. */
  readonly sessions: readonly string[]
  /** Their agents. */
  readonly agents: readonly string[]
  /** What it is to do; absent where somebody waits for it. */
  readonly task?: HandedTask
}

/** Work that nobody waits for. */
export interface HandedTask {
  readonly text: string
  /** What hooks want it to know. */
  readonly context: readonly MergedEntry[]
  /** How many wakes led to it. */
  readonly depth: number
  /** On whose behalf. */
  readonly actor?: Actor
}

/** Where a session stands, as its journal tells it. */
export interface StoredSession {
  readonly info: SessionInfo
  /**
   * What it was called; until then the first words that were said in it. Null
   * where neither is kept.
   */
  readonly title: string | null
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
  /** What it had used by then, as far as the journal tells. */
  readonly used?: TurnUse
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
  | TurnResumed
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
  /** What tells another message with that id from the same one. */
  readonly digest?: string
  /** How many wakes led to it; absent: none. */
  readonly depth?: number
  /** The JSON Schema that the reply has to be a value of. */
  readonly output?: JsonObject
}

/** Something of a turn that has begun. */
interface TurnContinued {
  /** On whose behalf it goes on, where others have joined in. */
  readonly actor?: Actor
}

/** Messages of an inbox that are part of what an entry keeps. */
interface TakenMessages extends TurnContinued {
  readonly taken?: readonly string[]
}

/** It goes on although a process has stopped while it was at work on it. */
export interface TurnResumed extends TurnContinued {
  readonly type: 'turn-resume'
  readonly turnId: string
  readonly used: TurnUse
}

/** A reply whose calls are about to be made. It counts when it is committed. */
export interface StepOpened extends TakenMessages {
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

/** People are asked about a call; the answer may take days. */
export interface CallWaiting extends TurnContinued {
  readonly type: 'call-wait'
  readonly turnId: string
  readonly question: PermissionQuestion
}

/** Written before the call runs: no action without its record. */
export interface CallSealed extends TurnContinued {
  readonly type: 'call-seal'
  readonly turnId: string
  readonly call: SealedCall
  /** The hash of the table that the hooks which judged it are from. */
  readonly table: string
  /** The hooks that judged it, and what they said. */
  readonly verdicts: readonly CallVerdict[]
  /** No hook has judged it, and policy did not ask for one. */
  readonly isUngated: boolean
  /** Who has agreed to it, if anybody had to. */
  readonly approvedBy?: Answerer
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

/** Who or what had the last word on a call that was not run. */
export interface DecidedBy {
  /**
   * `check`: there is no such tool, or the arguments do not fit it. `nobody`:
   * a person had to agree, and none did. `fault`: what had to be asked, or to
   * keep it, has failed.
   */
  readonly kind: 'hook' | 'person' | 'policy' | 'check' | 'nobody' | 'fault'
  /** The hook, whoever it was, or what has failed. */
  readonly name?: string
}

export interface CallEnded extends TurnContinued {
  readonly type: 'call-end'
  readonly turnId: string
  readonly ended: EndedCall
  /** Of a call that was not run: the hooks that judged it. */
  readonly verdicts?: readonly CallVerdict[]
  /** Of the same: who kept it from running; absent if the turn was over. */
  readonly decidedBy?: DecidedBy
  /** By the whole turn, until then; absent in older journals. */
  readonly spent?: TurnSpent
}

/** Messages that are now part of the conversation. */
export interface StepCommitted extends TakenMessages {
  readonly type: 'step-commit'
  readonly turnId: string
  readonly messages: readonly Message[]
  /** What the turn has used by now; absent in older journals. */
  readonly used?: TurnUse
}

/** The oldest messages gave way to a summary of them. */
export interface HistoryCompacted extends TurnContinued {
  readonly type: 'compaction'
  readonly removedCount: number
  /** What stands in their place. */
  readonly replacement: Message
}

export interface TurnEnded extends TakenMessages {
  readonly type: 'turn-end'
  readonly turnId: string
  readonly status: TurnStatus
  readonly summary: TurnSummary
  /** Who wrote which piece of its prompt, where it had more than one. */
  readonly prompt?: PromptManifest
  /** Why it did not succeed, where that is no error. */
  readonly reason?: string
  readonly inputId?: string
  readonly digest?: string
  /** Hooks are still to be told of it. */
  readonly isOwed?: boolean
}

/** The session is over for good. */
export interface SessionEnded {
  readonly type: 'session-end'
  readonly reason: SessionEndReason
}

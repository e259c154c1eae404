import type { JsonObject } from 'hookline/lifecycle'

/** What is meant for a session, whichever process has it. */
export interface Inbox {
  /**
   * Leaves a message; one whose key is known already is not left again. Throws
   * `conflict` if that was another message.
   */
  put(message: NewMessage): Promise<{ id: string; isNew: boolean }>
  /** What is not done yet, in order. */
  read(sessionId: string): Promise<readonly InboxMessage[]>
  /** Whoever left it can learn what became of it. */
  done(ids: readonly string[], outcome?: JsonObject): Promise<void>
  /** Of one message; undefined if it is not there, or not any more. */
  outcome(id: string): Promise<MessageOutcome | undefined>
  /**
   * Sessions with messages that no living process has, the oldest first; of a
   * long list, what comes after so many.
   */
  waiting(limit: number, skip?: number): Promise<readonly WaitingSession[]>
}

export interface WaitingSession {
  readonly sessionId: string
  readonly agent: string
  /** Of its messages; each may be there several times. */
  readonly kinds: readonly string[]
}

export interface NewMessage {
  readonly sessionId: string
  /** What it is, as `send`: a short word. */
  readonly kind: string
  /** Messages of one kind for one session with the same key are one. */
  readonly key?: string
  readonly body: JsonObject
  /** On whose behalf. */
  readonly by: string
}

export interface MessageOutcome {
  readonly isDone: boolean
  readonly outcome?: JsonObject
}

export interface InboxMessage {
  readonly id: string
  readonly sessionId: string
  readonly kind: string
  readonly body: JsonObject
  readonly by: string
  readonly createdAt: number
}

/** Go on with the value as it is. */
export interface Proceed {
  readonly type: 'proceed'
}
/** Go on with another value; the next hook sees it. */
export interface Transform<T = unknown> {
  readonly type: 'transform'
  readonly value: T
}
/** Use this value as it is; the remaining hooks are skipped. */
export interface Replace<T = unknown> {
  readonly type: 'replace'
  readonly value: T
}
/** The operation fails; the remaining hooks are skipped. */
export interface Reject {
  readonly type: 'reject'
  readonly reason: string
}
/** The operation is not performed; this is its outcome. */
export interface Respond<T = unknown> {
  readonly type: 'respond'
  readonly output: T
}
/** A person must agree first. Later hooks may still reject. */
export interface Ask {
  readonly type: 'ask'
  readonly question: string
}
/** The turn ends here. */
export interface EndTurn {
  readonly type: 'endTurn'
  readonly reason: string
}
/** The turn, about to stop, goes on with this feedback. */
export interface KeepGoing {
  readonly type: 'keepGoing'
  readonly feedback: string
}

/** Every answer; a point allows some of them, and always `proceed`. */
export type Answer<Value = unknown, Output = unknown> =
  | Proceed
  | Transform<Value>
  | Replace<Value>
  | Reject
  | Respond<Output>
  | Ask
  | EndTurn
  | KeepGoing

/** What a point may allow beyond `proceed`. */
export type AnswerType = Exclude<Answer['type'], 'proceed'>

/** An answer that was checked whole: what it says, read once, frozen. */
export interface CheckedAnswer {
  readonly type: AnswerType | 'proceed'
  readonly payload?: unknown
  /** The same where it is words: a reason, a question or feedback. */
  readonly reason?: string
}

/** Where each answer carries what it says. */
export const payloadKeys = {
  transform: 'value',
  replace: 'value',
  reject: 'reason',
  respond: 'output',
  ask: 'question',
  endTurn: 'reason',
  keepGoing: 'feedback',
} as const satisfies Record<AnswerType, string>

export const proceed: Proceed = Object.freeze({ type: 'proceed' })

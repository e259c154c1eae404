/** Go on with the value as it is. */
export type Proceed = Readonly<{ type: 'proceed' }>
/** Go on with another value; the next hook sees it. */
export type Transform<T = unknown> = Readonly<{ type: 'transform'; value: T }>
/** Use this value as it is; the remaining hooks are skipped. */
export type Replace<T = unknown> = Readonly<{ type: 'replace'; value: T }>
/** The operation fails; the remaining hooks are skipped. */
export type Reject = Readonly<{ type: 'reject'; reason: string }>
/** The operation is not performed; this is its outcome. */
export type Respond<T = unknown> = Readonly<{ type: 'respond'; output: T }>
/** A person must agree first. Later hooks may still reject. */
export type Ask = Readonly<{ type: 'ask'; question: string }>
/** The turn ends here. */
export type EndTurn = Readonly<{ type: 'endTurn'; reason: string }>
/** The turn, about to stop, goes on with this feedback. */
export type KeepGoing = Readonly<{ type: 'keepGoing'; feedback: string }>

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

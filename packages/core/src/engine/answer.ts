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

export type Answer =
  | Proceed
  | Transform
  | Replace
  | Reject
  | Respond
  | Ask
  | EndTurn
  | KeepGoing

/** What a point may allow beyond `proceed`, which every point allows. */
export type AnswerType = Exclude<Answer['type'], 'proceed'>

/** The payload each answer must carry, and whether it is text. */
export const payloadOf: Readonly<
  Record<AnswerType, { readonly key: string; readonly text: boolean }>
> = {
  transform: { key: 'value', text: false },
  replace: { key: 'value', text: false },
  respond: { key: 'output', text: false },
  reject: { key: 'reason', text: true },
  ask: { key: 'question', text: true },
  endTurn: { key: 'reason', text: true },
  keepGoing: { key: 'feedback', text: true },
}

export const proceed: Proceed = Object.freeze({ type: 'proceed' })

export function transform<T>(value: T): Transform<T> {
  return { type: 'transform', value }
}

export function replace<T>(value: T): Replace<T> {
  return { type: 'replace', value }
}

export function reject(reason: string): Reject {
  return { type: 'reject', reason }
}

export function respond<T>(output: T): Respond<T> {
  return { type: 'respond', output }
}

export function ask(question: string): Ask {
  return { type: 'ask', question }
}

export function endTurn(reason: string): EndTurn {
  return { type: 'endTurn', reason }
}

export function keepGoing(feedback: string): KeepGoing {
  return { type: 'keepGoing', feedback }
}

import type { AnswerType } from './answer.ts'
import type { Contribution, Kind } from './contribution.ts'
import type { DataLimits } from './freeze.ts'

/**
 * How the hooks of a point run. `serial`: one after the other, each sees what
 * the one before left. `parallel`: in dependency batches, at the same time
 * within a batch. `observe`: after the fact, waited for by nobody.
 */
export type Flow = 'serial' | 'parallel' | 'observe'

/** What a hook's failure leads to, where it is not a fallback of its own. */
type FailureRule = 'closed' | 'open' | 'required'

/** The types that a point carries. */
export interface PointShape {
  /** What a hook sees. */
  input: unknown
  /** What `transform` and `replace` may change. */
  value: unknown
  /** What `respond` gives. */
  output: unknown
  answers: AnswerType
  contributions: Contribution
  /** The contributions open to hooks that nobody waits for. */
  unwaited: Contribution
  /** The names that a matcher may use. */
  fields: string
  scope: object
  flow: Flow
}

/** A named moment. A value; its name is stable, its type says what is allowed. */
export interface Point<
  // biome-ignore lint/suspicious/noExplicitAny: stands for every shape
  S extends PointShape = any,
> {
  readonly name: string
  readonly flow: S['flow']
  readonly order: 'ascending' | 'descending'
  /** The property of the input that answers may change; else all of it. */
  readonly subject: string | undefined
  readonly answers: ReadonlySet<string>
  readonly kinds: ReadonlyMap<string, Kind>
  readonly fields: ReadonlyMap<string, Field>
  /** What a hook without a failure policy of its own has. */
  readonly failure: FailureRule
  /** Answers that need a capability, by its name. */
  readonly rights: ReadonlyMap<string, string>
  readonly limits: DataLimits
  /** How long a dispatch of it may take; absent: as the engine says. */
  readonly deadlineMs: number | undefined
  /** Whether it judges what is streamed, so that hooks can hold it back. */
  readonly isStreamed: boolean
  /** What observers may see of an input that was rejected; absent: all. */
  readonly conceal: ((input: S['input']) => S['input']) | undefined
  /** Only for the compiler. */
  readonly '~shape'?: S
}

export type Field = (input: never, scope: never) => unknown

export type ShapeOf<P extends Point> = NonNullable<P['~shape']>
export type InputOf<P extends Point> = ShapeOf<P>['input']

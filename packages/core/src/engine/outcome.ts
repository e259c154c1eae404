import type { Contributions } from './contribution.ts'
import type { FailureCode, HookError } from './error.ts'
import type { Point, PointShape, ShapeOf } from './point.ts'
import type { HookRecord } from './record.ts'

/** What a dispatch came to: only what its point allows can be in it. */
export type Outcome<P extends Point = Point> = OutcomeOf<ShapeOf<P>>

export type OutcomeOf<S extends PointShape> = Sums<S> &
  Extract<Verdict<S['output']>, { type: S['answers'] | 'proceed' }>

/** What every outcome has. */
export interface Sums<S extends PointShape = PointShape> {
  /** The input after every change; what guards of a later point judge. */
  readonly value: S['input']
  /** The hooks that changed it, in order. */
  readonly writers: readonly string[]
  readonly contributions: Contributions
  readonly records: readonly HookRecord[]
}

/** What was decided, and by whom. */
export type Verdict<Output = unknown> =
  | {
      readonly type: 'proceed'
      /** The hook whose value was used as it is, if one said so. */
      readonly replacedBy?: string
    }
  | {
      readonly type: 'reject'
      readonly by: string
      readonly reason: string
      /** Set when nobody rejected, but a closed hook gave no valid answer. */
      readonly failure?: HookError<FailureCode>
    }
  | { readonly type: 'respond'; readonly by: string; readonly output: Output }
  | {
      readonly type: 'ask'
      readonly questions: readonly Question[]
      readonly replacedBy?: string
    }
  | { readonly type: 'endTurn'; readonly by: string; readonly reason: string }
  | {
      readonly type: 'keepGoing'
      readonly by: string
      readonly feedback: string
    }

export interface Question {
  readonly by: string
  readonly question: string
}

import { type Contributions, noContributions, none } from './contribution.ts'
import type { FailureCode, HookError } from './error.ts'
import type { Point, PointShape, ShapeOf } from './point.ts'
import type { HookRecord, KnownRun } from './record.ts'

/** What a dispatch came to: only what its point allows can be in it. */
export type Outcome<P extends Point = Point> = OutcomeOf<ShapeOf<P>>

export type OutcomeOf<S extends PointShape> = Sum<S> &
  Extract<Verdict<S['output']>, { type: S['answers'] | 'proceed' }>

interface Sum<S extends PointShape> {
  /** The input after every change; what guards of a later point judge. */
  readonly value: S['input']
  /** The hooks that changed it, in order. */
  readonly writers: readonly string[]
  readonly contributions: Contributions
  /** How each hook fared, as they ended. A spread copy has none. */
  readonly runs: readonly KnownRun[]
  /** Of the same runs, written when asked for. A spread copy has none. */
  readonly records: readonly HookRecord[]
}

/** What was decided, and by whom. */
export type Verdict<Output = unknown> =
  | Readonly<{ type: 'proceed' }>
  | Readonly<{ type: 'ask'; questions: readonly Question[] }>
  | Readonly<{
      type: 'reject'
      by: string
      reason: string
      /** Set when nobody rejected, but a closed hook gave no valid answer. */
      failure?: HookError<FailureCode>
    }>
  | Readonly<{ type: 'respond'; by: string; output: Output }>
  | Readonly<{ type: 'endTurn'; by: string; reason: string }>
  | Readonly<{ type: 'keepGoing'; by: string; feedback: string }>

export type Question = Readonly<{ by: string; question: string }>

/** How a dispatch ended, as its observers are told. */
export interface Decision {
  readonly type: Verdict['type'] | 'replace' | 'error' | 'cancelled'
  /** The hook that decided; absent when all proceeded. */
  readonly by?: string | undefined
  readonly reason?: string | undefined
}

/** What ends a dispatch: a verdict, or an error to its caller. */
export type End = Verdict | HookError

/** The outcome where there is no hook. */
export function untouched(value: unknown): OutcomeOf<PointShape> {
  return {
    type: 'proceed',
    value,
    writers: none,
    contributions: noContributions,
    runs: none,
    records: none,
  }
}

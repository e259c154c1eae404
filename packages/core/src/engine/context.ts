import type { Contributions } from './contribution.ts'
import type { Engine } from './engine.ts'
import type { Decision } from './outcome.ts'
import type { PointShape } from './point.ts'
import type { State } from './state.ts'

interface CommonContext<S extends PointShape> {
  /** The id of this run, as in its record. */
  readonly run: string
  readonly hook: string
  readonly point: string
  /** What the caller says about the moment: session, turn, agent and so on. */
  readonly scope: S['scope']
  readonly state: State
  /** Aborted when the answer no longer counts. */
  readonly signal: AbortSignal
  /** How much time is left to answer. */
  readonly remainingMs: number
  /** How many hooks this run is nested in. */
  readonly depth: number
  /** What the hooks before this one contributed. */
  readonly contributions: Contributions
  /** Sends an event to whoever listens to the engine. */
  readonly emit: (event: unknown) => void
  /** Adds a line to this run's record; for operators unless it says so. */
  readonly diagnose: (
    code: string,
    message: string,
    options?: { readonly safeForUser?: boolean },
  ) => void
  /** Asks a point from inside this run, without the hooks it is nested in. */
  readonly dispatch: Engine['run']
}

// By way of a method, so that the context of one point is a context.
type Contribute<C> = { call(contribution: C): void }['call']

/** What a hook that is waited for gets beside its input. */
export interface HookContext<S extends PointShape> extends CommonContext<S> {
  /** Counts once the run has completed in time, and not otherwise. */
  readonly contribute: Contribute<S['contributions']>
}

/** What a hook that nobody waits for gets: also what was decided, by whom. */
export interface ObserverContext<S extends PointShape>
  extends CommonContext<S> {
  readonly decision: Decision
  readonly contribute: Contribute<S['unwaited']>
}

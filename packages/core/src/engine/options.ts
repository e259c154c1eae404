import type { CheckedAnswer } from './answer.ts'
import type { Clock, WallOffset } from './clock.ts'
import type { HookContext, ObserverContext } from './context.ts'
import type {
  Contributed,
  Contribution,
  Contributions,
} from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import type { HookEngine } from './engine.ts'
import type { FailureCode, HookError } from './error.ts'
import type { Settled } from './follow.ts'
import type { Decision } from './outcome.ts'
import type { HookDescriptor, Table } from './plan.ts'
import type { Point, PointShape, ShapeOf } from './point.ts'
import type {
  Diagnostic,
  HandlerId,
  HookRecord,
  LateNote,
  RecordSink,
  StartedRun,
} from './record.ts'
import type { HookRun } from './run.ts'
import type { State } from './state.ts'

/** What an engine cannot do without; `createEngine` has defaults. */
export interface EnginePorts {
  readonly clock: Clock
  /** How the wall clock stands to it. Asked when a run begins. */
  readonly wall: { at(now: number): WallOffset }
  /** The state of dispatches that bring none. */
  readonly state: State
  readonly writer: RunWriter
  /** A stable digest of plain data. */
  readonly hash: (value: unknown) => string
  /** A new id for a dispatch, unlike all others. */
  readonly nextId: () => string
  /** What becomes of the hooks that nobody waits for. */
  readonly observers: (engine: HookEngine) => Observers
  /** How long a dispatch may take as a whole. */
  readonly dispatchMs: number
  /** How many hooks of one dispatch run at the same time. */
  readonly parallelism: number
  /** How deep hooks may ask points from inside hooks. */
  readonly maxDepth: number
  /** How many such dispatches one outer dispatch may cause. */
  readonly maxNested: number
  readonly judge: Judge
  readonly breaker: Breaker
  /** Where records go; an outcome has those of its own dispatch anyway. */
  readonly records?: RecordSink
  /** Takes background jobs; else they run in this process, soon. */
  readonly enqueue?: (job: Job) => void | PromiseLike<void>
  /** Gets what unwaited hooks contributed, once they have completed. */
  readonly collect?: (
    contributed: readonly Contributed[],
    scope: object,
  ) => void
  readonly asyncScope?: AsyncScope
}

/** Says what counts of what hooks hand in: read once, checked whole, frozen. */
export interface Judge {
  answer(
    hook: HookDescriptor,
    point: Point,
    given: unknown,
  ): CheckedAnswer | HookError<FailureCode>
  contribution(
    hook: Pick<HookDescriptor, 'name' | 'capabilities'>,
    point: Point,
    given: Contribution,
  ): Contributed | HookError<FailureCode>
  /** What a hook says to people: printable, and bounded. */
  diagnostic(code: string, message: string, safeForUser: boolean): Diagnostic
}

/** Writes down what sinks and listeners are told of a run. */
export interface RunWriter {
  start(run: HookRun): StartedRun
  /** Of a run that has ended, or never began. */
  record(run: HookRun): HookRecord
  late(run: HookRun, settled: Settled): LateNote
}

/** Remembers which hooks keep failing, and keeps them from running a while. */
export interface Breaker {
  /** True while no hook is in trouble, so that nothing has to be looked up. */
  readonly isIdle: boolean
  /** Whether a hook must not run now. After a pause one run may try again. */
  isOpen(hook: string, now: number): boolean
  succeeded(hook: string): void
  /** Counts a failure; true when this one put the hook into quarantine. */
  failed(hook: string, now: number): boolean
  /** A new table starts with a clean slate. */
  reset(): void
}

/** Runs hooks after the fact, and as jobs. */
export interface Observers {
  /** A dispatch that has observers has ended. */
  after(dispatch: Dispatch): void
  perform(job: Job, options?: JobOptions): Promise<HookRecord | JobRefusal>
  drain(caller: HookRun | undefined): Promise<void>
}

/** Knows which run the code now running belongs to, across awaits. */
export interface AsyncScope {
  run<T>(run: unknown, callback: () => T): T
  current(): unknown
}

/** A queued run of a background hook. Plain data. */
export interface Job {
  readonly dispatch: string
  readonly point: string
  readonly hook: string
  readonly handler: HandlerId
  readonly input: unknown
  readonly scope: object
  readonly decision: Decision
  /** The hooks that led to it, the outermost first: it leads to none of them. */
  readonly chain: readonly string[]
  /** How often it has been tried, this time included. */
  readonly attempt: number
}

/** What a job cannot carry with it. */
export interface JobOptions {
  readonly state?: State
  /** Aborted when the job is no longer this process's to do. */
  readonly signal?: CancelSignal
  /** Where its hook is; default: the engine's own table. */
  readonly table?: Table
}

/** Why a job was not run: its hook is gone, or is another one now. */
export type JobRefusal = 'unregistered' | 'version-changed'

/** Who asks, if a hook does: the context that the engine gave it. */
export interface Caller {
  readonly parent?: HookContext<PointShape> | ObserverContext<PointShape>
}

/** As much of an `AbortSignal` as the engine needs; one fits. */
export interface CancelSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: CancelListener): void
  removeEventListener(type: 'abort', listener: CancelListener): void
}

export interface CancelListener {
  handleEvent(): void
}

/** What a caller may say about one dispatch. */
export interface RunOptions<P extends Point = Point> extends Caller {
  /** About the moment: session, turn, agent and so on. Hooks see it. */
  readonly scope?: ShapeOf<P>['scope']
  readonly state?: State
  /** The caller's own cancellation. Never a failure of a hook. */
  readonly signal?: CancelSignal
  /** How long the caller is willing to wait. */
  readonly deadlineMs?: number
  /** Another table than the engine's newest: one held for several points. */
  readonly table?: Table
  /** Its own id; one that is asked again has the same. Default: a new one. */
  readonly id?: string
  /**
   * It goes on when the hook that asks has ended: it is about what has happened.
   * No hook can say so of what it asks itself.
   */
  readonly outlives?: boolean
  /** Told when its observers, if it has any, have ended or are queued. */
  readonly observed?: () => void
}

/** What only the engine itself may say about a dispatch. */
export interface InnerOptions extends Omit<RunOptions, 'parent'> {
  readonly attempt?: number
  readonly parent?: HookRun | undefined
  /** The hooks that led to a job. */
  readonly chain?: readonly string[]
  /** Set when the hooks observe, or one is performed as a job. */
  readonly stage?: 'observe' | 'perform'
  /** What was decided before such hooks began. */
  readonly decision?: Decision
  /** Which waited hooks completed, for observers that need them. */
  readonly completed?: ReadonlySet<number> | undefined
  /** What the waited hooks contributed, for observers to see. */
  readonly contributions?: Contributions
}

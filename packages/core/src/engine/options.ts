import type { Clock } from './clock.ts'
import type { Decision } from './context.ts'
import type { Contributed } from './contribution.ts'
import type { HandlerId, RecordSink } from './record.ts'
import type { State } from './state.ts'

/** The ports and limits of an engine; everything has a default. */
export interface EngineOptions {
  readonly clock?: Clock
  /** Where records go; default: the newest 1 024 stay in memory. */
  readonly records?: RecordSink
  /** Takes background jobs; default: they run in this process, soon. */
  readonly enqueue?: (job: Job) => void | PromiseLike<void>
  /** Gets what unwaited hooks contributed, once they have completed. */
  readonly collect?: (contributed: readonly Contributed[]) => void
  /** A stable digest of plain data; default: a fast one, not for security. */
  readonly hash?: (value: unknown) => string
  readonly asyncScope?: AsyncScope
  /** The state of dispatches that bring none. */
  readonly state?: State
  /** How long a dispatch may take as a whole; default 60 s. */
  readonly dispatchMs?: number
  /** How many hooks of one dispatch run at the same time; default 16. */
  readonly parallelism?: number
  /** How deep hooks may ask points from inside hooks; default 8. */
  readonly maxDepth?: number
  /** How many such dispatches one outer dispatch may cause; default 1 000. */
  readonly maxNested?: number
  /** Failures in a row that put a hook into quarantine; default 5. */
  readonly breakerFailures?: number
  /** How long it stays there; default 60 s. */
  readonly breakerMs?: number
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
  /** How often it has been tried, this time included. */
  readonly attempt: number
}

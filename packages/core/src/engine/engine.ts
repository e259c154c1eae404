import type { HookContext, ObserverContext } from './context.ts'
import { noContributions } from './contribution.ts'
import type { EngineListener } from './event.ts'
import { type HookCounts, Kernel } from './kernel.ts'
import type { EngineOptions, Job } from './options.ts'
import type { Outcome } from './outcome.ts'
import type { InputOf, Point, PointShape } from './point.ts'
import type { HookRecord } from './record.ts'
import type { RunOptions } from './run-options.ts'
import type { MaybePromise } from './state.ts'
import { emptyTable, type Table } from './table.ts'

/** Asks points, on a table that can be replaced at any moment. */
export interface Engine {
  readonly table: Table
  /**
   * Asks a point. Answers at once when every hook does; freezes its input.
   * Throws when a required hook failed, or the caller gave up.
   */
  run<P extends Point>(
    point: P,
    input: InputOf<P>,
    options?: RunOptions<P>,
  ): MaybePromise<Outcome<P>>
  /** Puts a new table in place; dispatches under way end on the old one. */
  swap(table: Table): void
  /** Runs a background job that `enqueue` was given. */
  perform(job: Job): Promise<HookRecord>
  /** Settles when every observer that was started has ended. */
  drain(options?: {
    /** The context of the hook that asks, if one does. */
    readonly parent?: HookContext<PointShape> | ObserverContext<PointShape>
  }): Promise<void>
  /** Tells a listener everything; returns how to stop it. */
  observe(listener: EngineListener): () => void
  /** What was counted by hook since the engine was made. */
  counts(): ReadonlyMap<string, Readonly<HookCounts>>
}

export function createEngine(
  table: Table = emptyTable,
  options: EngineOptions = {},
): Engine {
  const kernel = new Kernel(table, options)
  return Object.freeze({
    get table() {
      return kernel.table
    },
    run<P extends Point>(
      point: P,
      input: InputOf<P>,
      runOptions?: RunOptions<P>,
    ): MaybePromise<Outcome<P>> {
      // The kernel knows points by name; their types are the caller's.
      return kernel.run(point, input, runOptions) as MaybePromise<Outcome<P>>
    },
    swap: (next: Table) => kernel.swap(next),
    perform: (job: Job) => kernel.observers.perform(job),
    drain: (runOptions: RunOptions = {}) =>
      kernel.observers.drain(kernel.callerOf(runOptions)),
    observe: (listener: EngineListener) => kernel.listen(listener),
    counts: () => kernel.counts,
  })
}

/** An engine that has no hooks and never will: as if there were no points. */
export const noopEngine: Engine = Object.freeze({
  table: emptyTable,
  run<P extends Point>(_: P, value: InputOf<P>): Outcome<P> {
    const outcome = {
      type: 'proceed',
      value,
      writers: [],
      contributions: noContributions,
      records: [],
    }
    return outcome as Outcome<P> // every point allows proceed
  },
  swap: () => {},
  perform: () => Promise.reject(new Error('The no-op engine has no jobs.')),
  drain: () => Promise.resolve(),
  observe: () => () => {},
  counts: () => new Map(),
})

import { Breaker } from './breaker.ts'
import { type Clock, systemClock } from './clock.ts'
import { noContributions } from './contribution.ts'
import { freezeDeep } from './data.ts'
import { Dispatch, type InnerOptions } from './dispatch.ts'
import { HookError } from './error.ts'
import type { AlarmCode, EngineEvent, EngineListener } from './event.ts'
import { decisionOf, type End } from './ledger.ts'
import { Observers } from './observers.ts'
import type { EngineOptions } from './options.ts'
import type { OutcomeOf } from './outcome.ts'
import type { Point, PointShape } from './point.ts'
import { quickHash } from './quick-hash.ts'
import { createMemoryRecords, type RecordSink } from './record.ts'
import { HookRun } from './run.ts'
import type { RunOptions } from './run-options.ts'
import { createMemoryState, type MaybePromise, type State } from './state.ts'
import type { Table } from './table.ts'
import { Waker } from './waker.ts'

/** What is counted by hook beside its records. */
export interface HookCounts {
  /** Inputs that its matcher did not want. */
  misses: number
  failures: number
  /** Failures after which the chain went on. */
  failedOpen: number
  /** Answers that came when they no longer counted. */
  late: number
  /** Runs that ended for their caller and are still going. */
  leaked: number
}

const none: readonly never[] = []
const noOptions: RunOptions = {}

/** What the parts of one engine share, and the way into a dispatch. */
export class Kernel {
  table: Table
  readonly options: EngineOptions
  readonly clock: Clock
  readonly records: RecordSink
  readonly breaker: Breaker
  readonly hash: (value: unknown) => string
  readonly dispatchMs: number
  readonly parallelism: number
  readonly observers: Observers
  readonly waker: Waker
  /** Undefined while nobody listens: then no event is even made. */
  listeners: readonly EngineListener[] | undefined = undefined
  readonly counts = new Map<string, HookCounts>()
  readonly #prefix = Math.random().toString(36).slice(2, 8)
  #dispatches = 0
  #wallOffset = 0
  #wallUntil = Number.NEGATIVE_INFINITY
  #state: State | undefined = undefined

  constructor(table: Table, options: EngineOptions) {
    this.table = table
    this.options = options
    this.clock = options.clock ?? systemClock
    this.records = options.records ?? createMemoryRecords()
    this.hash = options.hash ?? quickHash
    this.dispatchMs = options.dispatchMs ?? 60_000
    this.parallelism = options.parallelism ?? 16
    this.observers = new Observers(this)
    this.waker = new Waker(this.clock)
    this.breaker = new Breaker(
      options.breakerFailures ?? 5,
      options.breakerMs ?? 60_000,
    )
  }

  get state(): State {
    this.#state ??= this.options.state ?? createMemoryState().at({})
    return this.#state
  }

  run(
    point: Point,
    input: unknown,
    options: RunOptions = noOptions,
  ): MaybePromise<OutcomeOf<PointShape>> {
    const plan = (options.table ?? this.table).plans.get(point.name)
    const parent = this.callerOf(options)
    if (parent !== undefined) this.#checkNesting(point, parent)
    if (plan === undefined && this.listeners === undefined) {
      return {
        type: 'proceed',
        value: input,
        writers: none,
        contributions: noContributions,
        records: none,
      }
    }
    const dispatch = new Dispatch(
      this,
      plan ?? { point, waited: none, observers: none, hasNeeds: false },
      freezeDeep(input),
      // Without a parent in them, a caller's options are just those.
      parent === undefined ? (options as InnerOptions) : { ...options, parent },
    )
    parent?.adopt(dispatch)
    return dispatch.start()
  }

  swap(next: Table): void {
    const from = this.table
    this.table = next
    this.breaker.keepOnly(next)
    if (this.listeners !== undefined) {
      this.emit({ type: 'table-swap', from, to: next })
    }
  }

  listen(listener: EngineListener): () => void {
    this.listeners = [...(this.listeners ?? none), listener]
    return () => {
      const rest = this.listeners?.filter((one) => one !== listener) ?? none
      this.listeners = rest.length > 0 ? rest : undefined
    }
  }

  /** The run that asks: named by its context, or known by the async scope. */
  callerOf(options: RunOptions): HookRun | undefined {
    const parent = options.parent ?? this.options.asyncScope?.current()
    return parent instanceof HookRun ? parent : undefined
  }

  /** Wall time at a monotonic moment; looked up at most once a second. */
  wallAt(ms: number): number {
    if (!(ms < this.#wallUntil)) {
      const now = this.clock.now()
      this.#wallOffset = this.clock.wall() - now
      this.#wallUntil = now + 1_000
    }
    return ms + this.#wallOffset
  }

  nextDispatchId(): string {
    return `${this.#prefix}-${++this.#dispatches}`
  }

  count(hook: string): HookCounts {
    let counts = this.counts.get(hook)
    if (counts === undefined) {
      counts = { misses: 0, failures: 0, failedOpen: 0, late: 0, leaked: 0 }
      this.counts.set(hook, counts)
    }
    return counts
  }

  /** Calls the hook's own function, or queues it as a job. */
  call(run: HookRun, input: unknown): unknown {
    const { planned, home } = run
    if (
      planned.execution === 'background' &&
      home.options.stage === 'observe'
    ) {
      return this.observers.enqueue(run, input)
    }
    // Which context a hook gets is typed by its execution; a run is both.
    const context = run as never
    const { asyncScope } = this.options
    if (asyncScope === undefined) return planned.hook.run(input, context)
    return asyncScope.run(run, () => planned.hook.run(input, context))
  }

  /** Ends a run for its dispatch while its work may still go on. */
  abandon(run: HookRun): void {
    this.count(run.hook).leaked++
    run.abandon()
  }

  /** An abandoned run was heard of again. It changes nothing. */
  late(run: HookRun, settled: 'answered' | 'threw'): void {
    const { home, hook, point, startedMs } = run
    const counts = this.count(hook)
    counts.leaked--
    counts.late++
    const latencyMs = this.clock.now() - startedMs
    this.guardPort('records', () =>
      this.records.late?.({
        dispatch: home.id,
        hook,
        point,
        settled,
        latencyMs,
      }),
    )
    this.alarm('late', hook, `Hook "${hook}" ${settled} too late.`)
  }

  alarm(code: AlarmCode, hook: string, message: string): void {
    if (this.listeners === undefined) return
    this.emit({ type: 'alarm', code, hook, message })
  }

  /** A port that throws must not change what is decided. */
  guardPort(port: string, callback: () => void): void {
    try {
      callback()
    } catch {
      this.portThrew(port)
    }
  }

  portThrew(port: string): void {
    this.alarm('port-threw', port, `The port "${port}" threw.`)
  }

  emit(event: EngineEvent): void {
    for (const listener of this.listeners ?? none) {
      try {
        listener(event)
      } catch {
        // Whoever watches cannot change what is watched; the count tells.
        this.count('engine.listener').failures++
      }
    }
  }

  dispatchStarted({ id, plan, ledger, depth, options }: Dispatch): void {
    if (this.listeners === undefined || options.stage !== undefined) return
    this.emit({
      type: 'dispatch-start',
      dispatch: id,
      point: plan.point.name,
      depth,
      input: ledger.value,
    })
  }

  runStarted({ home, planned }: HookRun): void {
    const { records, listeners } = this
    if (listeners === undefined && records.start === undefined) return
    const start = {
      dispatch: home.id,
      point: planned.point,
      hook: planned.name,
    }
    this.guardPort('records', () => records.start?.(start))
    if (listeners !== undefined) this.emit({ type: 'hook-start', ...start })
  }

  dispatchEnded(dispatch: Dispatch, end: End): void {
    const { plan, options } = dispatch
    const hasObservers = plan.observers.length > 0
    if (options.stage !== undefined) return
    if (!hasObservers && this.listeners === undefined) return
    const decision = decisionOf(end)
    this.emit({
      type: 'dispatch-end',
      dispatch: dispatch.id,
      point: plan.point.name,
      depth: dispatch.depth,
      decision,
      value: dispatch.ledger.value,
      latencyMs: dispatch.elapsedMs,
    })
    if (hasObservers) this.observers.after(dispatch, decision)
  }

  #checkNesting(point: Point, parent: HookRun): void {
    const { maxDepth = 8, maxNested = 1_000 } = this.options
    const { hook } = parent
    if (parent.isOver) {
      throw new HookError('cancelled', `The run of hook "${hook}" is over.`, {
        hook,
      })
    }
    const { root } = parent.home
    root.nested++
    if (parent.depth + 1 > maxDepth || root.nested > maxNested) {
      throw new HookError(
        'recursion',
        `Hook "${hook}" asks ${point.name} too deep inside other hooks, or too often.`,
        { hook },
      )
    }
  }
}

import { Dispatch } from './dispatch.ts'
import { HookError, hookError } from './error.ts'
import type { AlarmCode, EngineEvent, EngineListener } from './event.ts'
import type { Settled } from './follow.ts'
import { freezeDeep } from './freeze.ts'
import { rootOf } from './nesting.ts'
import type {
  Caller,
  EnginePorts,
  InnerOptions,
  Job,
  JobOptions,
  JobRefusal,
  Observers,
  RunOptions,
} from './options.ts'
import { type Outcome, untouched } from './outcome.ts'
import type { Table } from './plan.ts'
import type { InputOf, Point } from './point.ts'
import type { HookRecord } from './record.ts'
import { HookRun } from './run.ts'
import type { MaybePromise } from './state.ts'
import { Waker } from './waker.ts'

/** Asks points, on a table that can be replaced at any moment. */
export interface Engine {
  readonly table: Table
  /**
   * Asks a point. Answers at once when every hook does; freezes its input, if
   * anyone gets to see it.
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
  perform(job: Job, options?: JobOptions): Promise<HookRecord | JobRefusal>
  /** Settles when every observer that was started has ended. */
  drain(caller?: Caller): Promise<void>
  /** Tells a listener everything; returns how to stop it. */
  observe(listener: EngineListener): () => void
  /** What was counted by hook since the engine was made. */
  counts(): ReadonlyMap<string, Readonly<HookCounts>>
}

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

const noCounts = { misses: 0, failures: 0, failedOpen: 0, late: 0, leaked: 0 }
// biome-ignore lint/suspicious/noExplicitAny: nothing at all fits every point
const noOptions: RunOptions<any> = Object.freeze({})
const noHooks = { waited: [], observers: [], hasNeeds: false }

/** The engine, with what its parts share. Made by `createEngine`. */
export class HookEngine implements Engine {
  table: Table
  readonly ports: EnginePorts
  readonly observers: Observers
  readonly waker: Waker
  /** Undefined while nobody listens: then no event is even made. */
  listeners: readonly EngineListener[] | undefined
  /** The scope of the last dispatch: most share one with those before. */
  #lastScope: object | undefined
  readonly #counts = new Map<string, HookCounts>()
  /** Whoever watches cannot change what is watched; the count tells. */
  readonly #listenerFailed = () => {
    this.count('(listener)').failures++
  }

  constructor(table: Table, ports: EnginePorts) {
    this.table = table
    this.ports = ports
    this.waker = new Waker(ports.clock)
    this.observers = ports.observers(this)
  }

  run<P extends Point>(
    point: P,
    input: InputOf<P>,
    options: RunOptions<P> = noOptions,
  ): MaybePromise<Outcome<P>> {
    const plan = (options.table ?? this.table).plans.get(point.name)
    const parent = this.#callerOf(options)
    if (parent !== undefined) this.#checkNesting(point, parent, options)
    else if (plan === undefined && this.listeners === undefined) {
      return untouched(input) as Outcome<P> // every point allows proceed
    }
    const { scope } = options
    if (scope !== this.#lastScope) this.#lastScope = freezeDeep(scope)
    const dispatch = new Dispatch(
      this,
      plan ?? { point, ...noHooks },
      freezeDeep(input),
      // Without a parent, a caller's options are what a dispatch takes.
      parent === undefined ? (options as InnerOptions) : { ...options, parent },
    )
    if (!options.outlives) parent?.deeds.children.push(dispatch)
    // Points are known by name here; their types are the caller's.
    return dispatch.start() as MaybePromise<Outcome<P>>
  }

  swap(to: Table): void {
    const from = this.table
    if (!(to?.plans instanceof Map)) {
      throw new HookError('invalid-call', 'That is no table.')
    }
    this.table = to
    this.ports.breaker.reset()
    this.emit({ type: 'table-swap', from, to })
  }

  perform(job: Job, options?: JobOptions): Promise<HookRecord | JobRefusal> {
    return this.observers.perform(job, options)
  }

  drain(caller: Caller = {}): Promise<void> {
    return this.observers.drain(this.#callerOf(caller))
  }

  observe(listener: EngineListener): () => void {
    // The same function may listen twice, and stop once.
    const own: EngineListener = (event) => listener(event)
    this.listeners = [...(this.listeners ?? []), own]
    return () => {
      const rest = this.listeners?.filter((one) => one !== own)
      this.listeners = rest?.length ? rest : undefined
    }
  }

  counts(): ReadonlyMap<string, HookCounts> {
    return new Map(this.#counts)
  }

  count(hook: string): HookCounts {
    const counts = this.#counts.get(hook) ?? { ...noCounts }
    this.#counts.set(hook, counts)
    return counts
  }

  call(run: HookRun, input: unknown): unknown {
    const { asyncScope } = this.ports
    const { run: call, hook } = run.planned
    if (asyncScope === undefined) return call.call(hook, input, run)
    return asyncScope.run(run, () => call.call(hook, input, run))
  }

  /** Ends a run for its dispatch while its work may still go on. */
  abandon(run: HookRun): void {
    this.count(run.hook).leaked++
    run.abandon()
  }

  /** An abandoned run was heard of again. It changes nothing. */
  late(run: HookRun, settled: Settled): void {
    const { writer, records } = this.ports
    const counts = this.count(run.hook)
    counts.leaked--
    counts.late++
    const note = writer.late(run, settled)
    this.guard('records', () => records?.late?.(note))
    this.alarm('late', run.hook)
  }

  emit(event: EngineEvent): void {
    for (const listener of this.listeners ?? []) {
      try {
        const heard: unknown = listener(event)
        if (heard instanceof Promise) heard.catch(this.#listenerFailed)
      } catch {
        this.#listenerFailed()
      }
    }
  }

  alarm(code: AlarmCode, about: string): void {
    this.emit({ type: 'alarm', code, about })
  }

  /** A port that throws must not change what is decided. */
  guard<T>(port: string, use: () => T): T | undefined {
    try {
      const given = use()
      this.watch(port, given)
      return given
    } catch {
      this.alarm('port-threw', port)
      return undefined
    }
  }

  // Apart from who asks: what closes over a name makes room for it every time.
  isQuarantined(hook: string, now: number): boolean | undefined {
    return this.guard('breaker', () => this.ports.breaker.isOpen(hook, now))
  }

  noteSuccess(hook: string): void {
    this.guard('breaker', () => this.ports.breaker.succeeded(hook))
  }

  /** Nor must a port whose promise is rejected. */
  watch(port: string, given: unknown): void {
    if (!(given instanceof Promise)) return
    given.catch(() => this.alarm('port-threw', port))
  }

  dispatchStarted(dispatch: Dispatch): void {
    if (this.listeners === undefined || dispatch.options.stage !== undefined)
      return
    const input = dispatch.ledger.value
    this.emit({ type: 'dispatch-start', ...aboutOf(dispatch), input })
  }

  runStarted(run: HookRun): void {
    const { records, writer } = this.ports
    if (this.listeners === undefined && records?.start === undefined) return
    const about = writer.start(run)
    this.guard('records', () => records?.start?.(about))
    this.emit({ type: 'hook-start', ...about })
  }

  runEnded(run: HookRun): void {
    // Written out: it is on the way of every run, and a function costs.
    try {
      const kept: unknown = this.ports.records?.end(run)
      if (kept !== undefined) this.watch('records', kept)
    } catch {
      this.alarm('port-threw', 'records')
    }
    if (this.listeners === undefined) return
    const { record, ending } = run
    this.emit({ type: 'hook-end', record, error: ending.error })
  }

  dispatchEnded(dispatch: Dispatch): void {
    const { plan, ledger, options } = dispatch
    if (options.stage !== undefined) return
    if (this.listeners !== undefined) {
      const { value, decision } = ledger
      const latencyMs = dispatch.nowMs - dispatch.startedMs
      const about = { ...aboutOf(dispatch), decision, value, latencyMs }
      this.emit({ type: 'dispatch-end', ...about })
    }
    if (plan.observers.length > 0) this.observers.after(dispatch)
  }

  /** The run that asks: named by its context, or known by the async scope. */
  #callerOf({ parent }: Caller): HookRun | undefined {
    if (parent instanceof HookRun) return parent
    if (parent !== undefined) {
      throw new HookError('invalid-call', 'A parent is a context.')
    }
    const caller = this.ports.asyncScope?.current()
    // What a run leaves behind when it ends is nobody's child.
    return caller instanceof HookRun && !caller.isOver ? caller : undefined
  }

  #checkNesting({ name }: Point, run: HookRun, { outlives }: RunOptions): void {
    const { hook, isOver, home } = run
    const { maxDepth, maxNested } = this.ports
    if (isOver && !outlives) throw hookError('cancelled', hook, 'has ended')
    const root = rootOf(home)
    root.nested++
    if (home.depth < maxDepth && root.nested <= maxNested) return
    throw hookError('recursion', hook, `nests ${name} too deep or often`)
  }
}

function aboutOf({ id, plan, depth }: Dispatch) {
  return { dispatch: id, point: plan.point.name, depth }
}

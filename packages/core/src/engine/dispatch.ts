import { proceed } from './answer.ts'
import type { HookEngine } from './engine.ts'
import { type FailureCode, HookError } from './error.ts'
import { Ledger } from './ledger.ts'
import type { RunOptions } from './options.ts'
import type { Decision, End, OutcomeOf } from './outcome.ts'
import type { Plan, PlannedHook } from './plan.ts'
import type { PointShape } from './point.ts'
import { HookRun } from './run.ts'
import type { MaybePromise } from './state.ts'
import type { Sleeper } from './waker.ts'

type AnyOutcome = OutcomeOf<PointShape>

/** What only the engine itself may say about a dispatch. */
export interface InnerOptions extends Omit<RunOptions, 'parent'> {
  readonly id?: string
  readonly attempt?: number
  readonly parent?: HookRun | undefined
  /** Set when the hooks observe, or one is performed as a job. */
  readonly stage?: 'observe' | 'perform'
  /** What was decided before such hooks began. */
  readonly decision?: Decision
  /** Which waited hooks completed, for observers that need them. */
  readonly completed?: ReadonlySet<number> | undefined
}

const noScope: object = Object.freeze({})
const promiseThen = Promise.prototype.then

/**
 * One point asked once: who runs when. Hooks that answer at once cost no
 * await; the loop gives way only to a promise, and goes on when it settles.
 */
export class Dispatch implements Sleeper {
  readonly engine: HookEngine
  readonly plan: Plan
  readonly options: InnerOptions
  readonly id: string
  readonly depth: number
  readonly ledger: Ledger
  readonly startedMs: number
  nowMs: number
  /** Dispatches that hooks of this one, however deep, have caused. */
  nested = 0
  place = 0
  readonly #deadline: number
  /** The runs that take their time; none while all answer at once. */
  #active: HookRun[] | undefined
  #next = 0
  #batchEnd = 0
  #end: End | undefined
  #resolve: ((outcome: AnyOutcome) => void) | undefined
  #reject: ((error: HookError) => void) | undefined

  constructor(
    engine: HookEngine,
    plan: Plan,
    input: unknown,
    options: InnerOptions,
  ) {
    const { clock, dispatchMs, nextId } = engine.ports
    const { parent, stage, deadlineMs = dispatchMs } = options
    const nowMs = clock.now()
    this.engine = engine
    this.plan = plan
    this.options = options
    this.id = options.id ?? nextId()
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.ledger = new Ledger(this, input)
    this.startedMs = nowMs
    this.nowMs = nowMs
    const waitMs = Math.min(dispatchMs, deadlineMs)
    const deadline = Math.min(nowMs + waitMs, parent?.deadline ?? Infinity)
    // Observers have nobody who waits, only their own time limits.
    this.#deadline = stage === undefined ? deadline : Infinity
  }

  get scope(): object {
    return this.options.scope ?? this.options.parent?.scope ?? noScope
  }

  get root(): Dispatch {
    return this.options.parent?.home.root ?? this
  }

  /** As a listener: the caller's signal calls it. */
  handleEvent(): void {
    this.cancel()
  }

  start(): MaybePromise<AnyOutcome> {
    this.engine.dispatchStarted(this)
    if (this.options.signal?.aborted) this.cancel()
    else this.#advance()
    if (this.#end instanceof HookError) throw this.#end
    if (this.#end !== undefined) return this.ledger.outcome(this.#end)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** The caller gave up; that is no hook's failure. */
  cancel(): void {
    if (this.#end !== undefined) return
    const message = `The caller gave up on ${this.plan.point.name}.`
    const { signal } = this.options
    this.nowMs = this.engine.ports.clock.now()
    this.#note(new HookError('cancelled', message, undefined, signal?.reason))
  }

  /** Ends the runs whose time is up; says when the next one's will be. */
  expire(now: number): number {
    for (const run of [...(this.#active ?? [])]) {
      if (run.isOver || run.deadline > now) continue
      this.#release(run)
      this.engine.abandon(run)
      this.#note(this.ledger.fail(run.planned, 'timed-out', run))
    }
    this.#advance()
    return Math.min(...(this.#active ?? []).map((run) => run.deadline))
  }

  /** Runs hooks until all have, one ends the chain, or one takes time. */
  #advance(): void {
    const { waited } = this.plan
    while (this.#end === undefined) {
      const running = this.#active === undefined ? 0 : this.#active.length
      if (this.#next < this.#batchEnd) {
        if (running >= this.engine.ports.parallelism) return
        this.#begin(waited[this.#next++] as PlannedHook)
      } else if (running > 0) {
        return
      } else {
        this.ledger.closeBatch()
        const first = waited[this.#next]
        if (first === undefined) this.#note(this.ledger.verdict())
        else this.#batchEnd = Math.min(first.batchEnd, waited.length)
      }
    }
  }

  #begin(planned: PlannedHook): void {
    const { ledger, nowMs, options } = this
    const { name, matches } = planned
    if (options.parent?.isInside((outer) => outer.hook === name)) return
    try {
      if (matches !== undefined && !matches(ledger.value, this.scope)) {
        this.engine.count(name).misses++
        return
      }
    } catch (cause) {
      this.#note(ledger.fail(planned, 'matcher-threw', undefined, cause))
      return
    }
    const obstacle = this.#obstacle(planned)
    if (obstacle === undefined) {
      const deadline = Math.min(nowMs + planned.timeoutMs, this.#deadline)
      this.#call(new HookRun(this, planned, deadline))
    } else {
      this.#note(ledger.fail(planned, obstacle))
    }
  }

  /** Why a hook that matches cannot run. */
  #obstacle({ hook, needed }: PlannedHook): FailureCode | undefined {
    const { breaker } = this.engine
    const { completed } = this.ledger
    if (completed && !needed.every((index) => completed.has(index))) {
      return 'needs-failed'
    }
    if (!breaker.isIdle && breaker.isOpen(hook, this.nowMs)) {
      return 'quarantined'
    }
    return this.nowMs >= this.#deadline ? 'timed-out' : undefined
  }

  #call(run: HookRun): void {
    const { engine, ledger } = this
    engine.runStarted(run)
    try {
      const answer = engine.call(run, ledger.value)
      if (answer !== proceed && this.#follows(run, answer)) {
        this.#wait(run)
      } else {
        this.nowMs = engine.ports.clock.now()
        this.#note(ledger.settle(run, answer))
      }
    } catch (cause) {
      this.nowMs = engine.ports.clock.now()
      this.#note(ledger.fail(run.planned, 'threw', run, cause))
    }
  }

  /** If a hook gave a promise, or what pretends to be one, listens to it. */
  #follows(run: HookRun, answer: unknown): boolean {
    if (typeof answer !== 'object' || answer === null) return false
    const isPromise = answer instanceof Promise
    if (!isPromise && !isThenable(answer)) return false
    // The intrinsic `then`: no subclass can call back twice, or at once.
    promiseThen.call(
      isPromise ? answer : Promise.resolve(answer),
      (given) => this.#resume(run, 'answered', given),
      (cause) => this.#resume(run, 'threw', cause),
    )
    return true
  }

  #wait(run: HookRun): void {
    const { waker, ports } = this.engine
    if (this.#active === undefined) {
      this.#active = []
      waker.add(this)
      this.options.signal?.addEventListener('abort', this)
    }
    this.#active.push(run)
    waker.wakeBy(run.deadline)
    // The next of the batch starts when this one has given way.
    if (this.#next < this.#batchEnd) this.nowMs = ports.clock.now()
  }

  #resume(run: HookRun, how: 'answered' | 'threw', given: unknown): void {
    const { ledger, engine } = this
    if (run.isOver) {
      engine.late(run, how)
      return
    }
    this.#release(run)
    this.#note(
      how === 'answered'
        ? ledger.settle(run, given)
        : ledger.fail(run.planned, how, run, given),
    )
    this.#advance()
  }

  #release(run: HookRun): void {
    const active = this.#active
    this.nowMs = this.engine.ports.clock.now()
    if (active?.at(-1) === run) active.pop()
    else active?.splice(active.indexOf(run), 1)
  }

  /** If this is the end, ends whatever still runs or would have. */
  #note(end: End | undefined): void {
    if (end === undefined) return
    const { ledger, engine, plan } = this
    const isCancelled = end instanceof HookError && end.code === 'cancelled'
    this.#end = end
    if (end instanceof HookError) {
      const type = isCancelled ? 'cancelled' : 'error'
      ledger.decision = { type, by: end.hook, reason: end.code }
    }
    if (this.#active !== undefined) this.#stopWaiting(isCancelled)
    for (; this.#next < plan.waited.length; this.#next++) {
      const planned = plan.waited[this.#next] as PlannedHook
      ledger.drop(planned, isCancelled ? 'caller-cancelled' : 'chain-ended')
    }
    engine.dispatchEnded(this)
    if (end instanceof HookError) this.#reject?.(end)
    else this.#resolve?.(ledger.outcome(end))
  }

  #stopWaiting(isCancelled: boolean): void {
    this.engine.waker.remove(this)
    this.options.signal?.removeEventListener('abort', this)
    for (const run of this.#active ?? []) {
      const note = isCancelled ? 'caller-cancelled' : 'superseded'
      this.engine.abandon(run)
      this.ledger.drop(run.planned, note, run)
    }
    this.#active = undefined
  }
}

function isThenable(answer: object): boolean {
  return 'then' in answer && typeof answer.then === 'function'
}

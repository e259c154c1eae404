import { proceed } from './answer.ts'
import type { HookEngine } from './engine.ts'
import { type FailureCode, HookError } from './error.ts'
import { Follower, promiseOf, type Settled } from './follow.ts'
import { Ledger } from './ledger.ts'
import { scopeOf } from './nesting.ts'
import type { InnerOptions } from './options.ts'
import type { End, OutcomeOf } from './outcome.ts'
import type { Plan, PlannedHook } from './plan.ts'
import type { PointShape } from './point.ts'
import type { RunNote } from './record.ts'
import { HookRun } from './run.ts'
import type { MaybePromise } from './state.ts'
import type { Sleeper } from './waker.ts'

type AnyOutcome = OutcomeOf<PointShape>

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
  /** Until when its hooks are waited for, all of them together. */
  readonly deadline: number
  /** The run whose function is being called. */
  #current: HookRun | undefined
  /** The runs that take their time; none while all answer at once. */
  #active: HookRun[] | undefined
  /** Followed a run that has come back, and can follow the next. */
  #idle: Follower | undefined
  #next = 0
  #batchEnd = 0
  #end: End | undefined
  #promise: PromiseWithResolvers<AnyOutcome> | undefined

  constructor(
    engine: HookEngine,
    plan: Plan,
    input: unknown,
    options: InnerOptions,
  ) {
    const { clock, dispatchMs, nextId } = engine.ports
    const { parent, outlives, stage, deadlineMs = Infinity } = options
    const bound = outlives ? undefined : parent
    const nowMs = clock.now()
    this.engine = engine
    this.plan = plan
    this.options = options
    this.id = options.id ?? nextId()
    this.depth = parent ? parent.depth + 1 : (options.chain?.length ?? 0)
    this.ledger = new Ledger(this, input)
    this.startedMs = nowMs
    this.nowMs = nowMs
    // What is no number is no time at all.
    const callerMs = deadlineMs >= 0 ? deadlineMs : 0
    const waitMs = Math.min(plan.point.deadlineMs ?? dispatchMs, callerMs)
    const deadline = Math.min(nowMs + waitMs, bound?.deadline ?? Infinity)
    // Observers have nobody who waits, only their own time limits.
    this.deadline = stage === undefined ? deadline : Infinity
  }

  /** As a listener: the caller's signal calls it. */
  handleEvent(): void {
    this.cancel()
  }

  start(): MaybePromise<AnyOutcome> {
    this.engine.dispatchStarted(this)
    this.#advance()
    if (this.#end instanceof HookError) throw this.#end
    if (this.#end !== undefined) return this.ledger.outcome(this.#end)
    this.#promise = Promise.withResolvers()
    const { promise } = this.#promise
    // If its hook ends first, nobody may be left to hear that this one did.
    if (this.options.parent !== undefined) promise.catch(() => {})
    return promise
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
    this.nowMs = now
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
    const { signal } = this.options
    while (this.#end === undefined) {
      const running = this.#active?.length ?? 0
      if (signal?.aborted && waited.length > 0) {
        this.cancel()
        return
      }
      if (this.#next === this.#batchEnd) {
        if (running > 0) return
        this.ledger.closeBatch()
        if (this.#next === waited.length) {
          this.#note(this.ledger.verdict())
          return
        }
        const { batchEnd } = waited[this.#next] as PlannedHook
        this.#batchEnd = Math.min(batchEnd, waited.length)
      }
      if (running >= this.engine.ports.parallelism) return
      this.#begin(waited[this.#next++] as PlannedHook)
    }
  }

  #begin(planned: PlannedHook): void {
    const { ledger, options } = this
    // A hook is left out of whatever it has caused.
    if (options.parent?.isInsideOf(planned.name, this.engine)) {
      ledger.markCompleted(planned)
      return
    }
    if (planned.matches !== undefined && !this.#matches(planned)) return
    const obstacle = this.#obstacle(planned)
    if (obstacle === undefined) this.#call(new HookRun(this, planned))
    else this.#note(ledger.fail(planned, obstacle))
  }

  #matches(planned: PlannedHook): boolean {
    const { ledger, engine } = this
    try {
      const isWanted: unknown = planned.matches?.(ledger.value, scopeOf(this))
      // What forgot to answer has not said that the input is not its own.
      if (typeof isWanted !== 'boolean') {
        if (isWanted instanceof Promise) isWanted.catch(() => {})
        throw new TypeError('A matcher says true or false.')
      }
      if (!isWanted) engine.count(planned.name).misses++
      // A matcher is code, too, and may have made the caller give up.
      return isWanted && this.#end === undefined
    } catch (cause) {
      this.#note(ledger.fail(planned, 'matcher-threw', undefined, cause))
      return false
    }
  }

  /** Why a hook that matches cannot run. */
  #obstacle({ name, needed }: PlannedHook): FailureCode | undefined {
    const { breaker } = this.engine.ports
    const { completed } = this.ledger
    if (completed && !needed.every((index) => completed.has(index))) {
      return 'needs-failed'
    }
    if (this.nowMs >= this.deadline) return 'timed-out'
    const isOut = !breaker.isIdle && this.engine.isQuarantined(name, this.nowMs)
    return isOut ? 'quarantined' : undefined
  }

  #call(run: HookRun): void {
    const { engine, ledger } = this
    let given: unknown
    let how: Settled | 'pending' = 'answered'
    engine.runStarted(run)
    // Whoever heard of its start may have made the caller give up.
    if (this.#end !== undefined) {
      ledger.drop(run.planned, 'caller-cancelled', run)
      return
    }
    this.#current = run
    try {
      given = engine.call(run, ledger.value)
      const promise = given === proceed ? undefined : promiseOf(given)
      if (promise !== undefined) {
        const follower = this.#idle ?? new Follower(this, run)
        this.#idle = undefined
        follower.follow(run, promise)
        how = 'pending'
      }
    } catch (cause) {
      given = cause
      how = 'threw'
    }
    // Nobody listens to the signal yet, if no hook has taken its time so far.
    if (this.options.signal?.aborted) this.cancel()
    this.#current = undefined
    if (how !== 'pending') this.#settle(run, how, given)
    else if (!run.isOver) this.#wait(run)
  }

  #settle(run: HookRun, how: Settled, given: unknown): void {
    const { engine, ledger } = this
    if (run.isOver) {
      engine.late(run, how)
      return
    }
    this.nowMs = engine.ports.clock.now()
    this.#note(
      how === 'answered'
        ? ledger.settle(run, given)
        : ledger.fail(run.planned, how, run, given),
    )
  }

  #wait(run: HookRun): void {
    const { waker, ports } = this.engine
    if (this.#active === undefined) {
      this.#active = [run]
      waker.add(this)
      this.options.signal?.addEventListener('abort', this)
    } else this.#active.push(run)
    waker.wakeBy(run.deadline)
    // The next of the batch starts when this one has given way.
    if (this.#next < this.#batchEnd) this.nowMs = ports.clock.now()
  }

  /** The run that was followed has come back. */
  resume(follower: Follower, how: Settled, given: unknown): void {
    const { run } = follower
    this.#idle = follower
    if (!run.isOver) this.#release(run)
    this.#settle(run, how, given)
    this.#advance()
  }

  #release(run: HookRun): void {
    const active = this.#active
    if (active?.at(-1) === run) active.pop()
    else active?.splice(active.indexOf(run), 1)
  }

  /** If this is the end, ends whatever still runs or would have. */
  #note(end: End | undefined): void {
    if (end === undefined || this.#end !== undefined) return
    const { ledger, engine, plan } = this
    const isCancelled = end instanceof HookError && end.code === 'cancelled'
    this.#end = end
    if (end instanceof HookError) {
      const { code: reason, hook: by } = end
      const type = isCancelled ? 'cancelled' : 'error'
      ledger.decision = Object.freeze({ type, by, reason })
    }
    this.#stop(isCancelled ? 'caller-cancelled' : 'superseded')
    for (; this.#next < plan.waited.length; this.#next++) {
      const planned = plan.waited[this.#next] as PlannedHook
      ledger.drop(planned, isCancelled ? 'caller-cancelled' : 'chain-ended')
    }
    ledger.closeBatch()
    engine.dispatchEnded(this)
    if (end instanceof HookError) {
      ledger.value = undefined
      this.#promise?.reject(end)
    } else this.#promise?.resolve(ledger.outcome(end))
    this.#promise = undefined
  }

  /** Tells every run that still goes on that its answer no longer counts. */
  #stop(note: RunNote): void {
    if (this.#active === undefined && this.#current === undefined) return
    const running = this.#active ?? []
    if (this.#active !== undefined) {
      this.engine.waker.remove(this)
      this.options.signal?.removeEventListener('abort', this)
    }
    if (this.#current !== undefined) running.push(this.#current)
    this.#active = undefined
    for (const run of running) {
      this.engine.abandon(run)
      this.ledger.drop(run.planned, note, run)
    }
  }
}

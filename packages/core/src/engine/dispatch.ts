import { proceed } from './answer.ts'
import type { Decision } from './context.ts'
import { type FailureCode, HookError } from './error.ts'
import type { Kernel } from './kernel.ts'
import { type End, Ledger } from './ledger.ts'
import type { OutcomeOf } from './outcome.ts'
import type { PointShape } from './point.ts'
import { HookRun } from './run.ts'
import type { RunOptions } from './run-options.ts'
import type { MaybePromise } from './state.ts'
import type { Plan, PlannedHook } from './table.ts'
import type { Sleeper } from './waker.ts'

type AnyOutcome = OutcomeOf<PointShape>

/** What only the engine itself may say about a dispatch. */
export interface InnerOptions extends RunOptions {
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

const none: readonly never[] = []
const noScope: object = Object.freeze({})

/**
 * One point asked once: who runs when. Hooks that answer at once cost no
 * await; the loop gives way only to a promise, and goes on when it settles.
 */
export class Dispatch implements Sleeper {
  readonly kernel: Kernel
  readonly plan: Plan
  readonly options: InnerOptions
  readonly id: string
  readonly depth: number
  readonly ledger: Ledger
  /** Dispatches that hooks of this one, however deep, have caused. */
  nested = 0
  nowMs: number
  before: Sleeper | undefined = undefined
  behind: Sleeper | undefined = undefined
  readonly #startedMs: number
  readonly #deadline: number
  /** The runs that take their time; none while all answer at once. */
  #active: HookRun[] | undefined = undefined
  #next = 0
  #batchEnd = 0
  #isOver = false
  #outcome: AnyOutcome | undefined = undefined
  #error: unknown = undefined
  #resolve: ((outcome: AnyOutcome) => void) | undefined = undefined
  #reject: ((error: unknown) => void) | undefined = undefined
  #onAbort: (() => void) | undefined = undefined

  constructor(
    kernel: Kernel,
    plan: Plan,
    input: unknown,
    options: InnerOptions,
  ) {
    const { parent } = options
    const nowMs = kernel.clock.now()
    this.kernel = kernel
    this.plan = plan
    this.options = options
    this.id = options.id ?? kernel.nextDispatchId()
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.ledger = new Ledger(this, input)
    this.nowMs = nowMs
    this.#startedMs = nowMs
    this.#deadline = this.#deadlineFor(options)
  }

  get scope(): object {
    return this.options.scope ?? this.options.parent?.scope ?? noScope
  }

  get root(): Dispatch {
    return this.options.parent?.home.root ?? this
  }

  get attempt(): number {
    return this.options.attempt ?? 1
  }

  get elapsedMs(): number {
    return this.nowMs - this.#startedMs
  }

  /** Waiting ends when the engine, the caller or the outer run says so. */
  #deadlineFor({ stage, parent, deadlineMs }: InnerOptions): number {
    // Observers have nobody who waits, only their own time limits.
    if (stage !== undefined) return Number.POSITIVE_INFINITY
    const { dispatchMs } = this.kernel
    const deadline = this.nowMs + Math.min(dispatchMs, deadlineMs ?? dispatchMs)
    return parent === undefined ? deadline : Math.min(deadline, parent.deadline)
  }

  start(): MaybePromise<AnyOutcome> {
    this.kernel.dispatchStarted(this)
    if (this.options.signal?.aborted) this.cancel()
    else this.#advance()
    if (this.#error !== undefined) throw this.#error
    if (this.#outcome !== undefined) return this.#outcome
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Runs hooks until all have, one ends the chain, or one takes time. */
  #advance(): void {
    const { waited } = this.plan
    while (!this.#isOver) {
      const running = this.#active === undefined ? 0 : this.#active.length
      if (this.#next < this.#batchEnd) {
        if (running >= this.kernel.parallelism) return
        this.#begin(waited[this.#next++] as PlannedHook)
      } else if (running > 0) {
        return
      } else {
        this.ledger.closeBatch()
        const first = waited[this.#next]
        if (first === undefined) this.#end(this.ledger.verdict())
        else this.#batchEnd = Math.min(first.batchEnd, waited.length)
      }
    }
  }

  #begin(planned: PlannedHook): void {
    const { ledger, nowMs, options } = this
    if (options.parent?.isInside(planned.name)) return
    try {
      const { matches } = planned
      if (matches !== undefined && !matches(ledger.value, this.scope)) {
        this.kernel.count(planned.name).misses++
        return
      }
    } catch (cause) {
      this.#note(ledger.fail(planned, 'matcher-threw', { cause }))
      return
    }
    const obstacle = this.#obstacle(planned)
    if (obstacle !== undefined) {
      this.#note(ledger.fail(planned, obstacle))
      return
    }
    const deadline = Math.min(nowMs + planned.timeoutMs, this.#deadline)
    this.#call(new HookRun(this, planned, deadline))
  }

  /** Why a hook that matches cannot run. */
  #obstacle(planned: PlannedHook): FailureCode | undefined {
    const { breaker } = this.kernel
    if (!this.ledger.hasCompleted(planned.needed)) return 'needs-failed'
    if (!breaker.isIdle && breaker.isOpen(planned.hook, this.nowMs)) {
      return 'quarantined'
    }
    return this.nowMs >= this.#deadline ? 'timed-out' : undefined
  }

  #call(run: HookRun): void {
    const { kernel, ledger } = this
    let answer: unknown
    kernel.runStarted(run)
    try {
      answer = kernel.call(run, ledger.value)
      if (answer !== proceed && this.#follows(run, answer)) {
        return this.#wait(run)
      }
    } catch (cause) {
      this.nowMs = kernel.clock.now()
      this.#note(ledger.fail(run.planned, 'threw', { run, cause }))
      return
    }
    this.nowMs = kernel.clock.now()
    this.#note(ledger.settle(run, answer))
  }

  /** If a hook gave a promise, or what pretends to be one, listens to it. */
  #follows(run: HookRun, answer: unknown): boolean {
    if (typeof answer !== 'object' || answer === null) return false
    if (!(answer instanceof Promise) && !isThenable(answer)) return false
    const promise = answer instanceof Promise ? answer : Promise.resolve(answer)
    // The intrinsic `then`: no subclass can call back twice, or at once.
    promiseThen.call(
      promise,
      (settled) => this.#answered(run, settled),
      (cause) => this.#threw(run, cause),
    )
    return true
  }

  #wait(run: HookRun): void {
    const { waker, clock } = this.kernel
    if (this.#active === undefined) this.#startWaiting()
    this.#active?.push(run)
    waker.wakeBy(run.deadline)
    // The next of the batch starts when this one has given way.
    if (this.#next < this.#batchEnd) this.nowMs = clock.now()
  }

  #startWaiting(): void {
    const { signal } = this.options
    this.#active = []
    this.kernel.waker.add(this)
    if (signal === undefined) return
    this.#onAbort = () => this.cancel()
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  #answered(run: HookRun, answer: unknown): void {
    if (run.isOver) return this.kernel.late(run, 'answered')
    this.#release(run)
    this.#goOn(this.ledger.settle(run, answer))
  }

  #threw(run: HookRun, cause: unknown): void {
    if (run.isOver) return this.kernel.late(run, 'threw')
    this.#release(run)
    this.#goOn(this.ledger.fail(run.planned, 'threw', { run, cause }))
  }

  #release(run: HookRun): void {
    const active = this.#active
    this.nowMs = this.kernel.clock.now()
    if (active?.at(-1) === run) active.pop()
    else active?.splice(active.indexOf(run), 1)
  }

  #goOn(end: End | undefined): void {
    if (end !== undefined) this.#end(end)
    else this.#advance()
  }

  /** Ends the runs whose time is up; says when the next one's will be. */
  expire(now: number): number {
    this.nowMs = now
    for (const run of [...(this.#active ?? none)]) {
      if (this.#isOver || run.deadline > now) continue
      this.#release(run)
      this.kernel.abandon(run)
      this.#goOn(this.ledger.fail(run.planned, 'timed-out', { run }))
    }
    return Math.min(...(this.#active ?? none).map((run) => run.deadline))
  }

  /** The caller gave up; that is no hook's failure. */
  cancel(): void {
    if (this.#isOver) return
    this.nowMs = this.kernel.clock.now()
    const { point } = this.plan
    const cause: unknown = this.options.signal?.reason
    this.#end(
      new HookError('cancelled', `The caller gave up on ${point.name}.`, {
        cause,
      }),
    )
  }

  #note(end: End | undefined): void {
    if (end !== undefined) this.#end(end)
  }

  #end(end: End): void {
    const { ledger, kernel } = this
    const { waited } = this.plan
    this.#isOver = true
    if (this.#active !== undefined) this.#stopWaiting(end)
    while (this.#next < waited.length) {
      const note = isCancelled(end) ? 'caller-cancelled' : 'chain-ended'
      ledger.drop(waited[this.#next++] as PlannedHook, note)
    }
    kernel.dispatchEnded(this, end)
    if (end instanceof HookError) {
      this.#error = end
      this.#reject?.(end)
    } else {
      this.#outcome = ledger.outcome(end)
      this.#resolve?.(this.#outcome)
    }
  }

  #stopWaiting(end: End): void {
    this.kernel.waker.remove(this)
    if (this.#onAbort !== undefined) {
      this.options.signal?.removeEventListener('abort', this.#onAbort)
    }
    const note = isCancelled(end) ? 'caller-cancelled' : 'superseded'
    for (const run of this.#active ?? none) {
      this.kernel.abandon(run)
      this.ledger.drop(run.planned, note, run)
    }
    this.#active = undefined
  }
}

function isCancelled(end: End): boolean {
  return end instanceof HookError && end.code === 'cancelled'
}

const promiseThen = Promise.prototype.then

function isThenable(answer: object): boolean {
  return 'then' in answer && typeof answer.then === 'function'
}

import { type CheckedAnswer, payloadKeys, proceed } from './answer.ts'
import {
  type Contributed,
  Contributions,
  noContributions,
  none,
} from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import {
  describeFailure,
  type FailureCode,
  HookError,
  hookError,
} from './error.ts'
import type { Decision, End, OutcomeOf, Question, Verdict } from './outcome.ts'
import type { PlannedHook } from './plan.ts'
import type { PointShape } from './point.ts'
import type { Ending, RunNote } from './record.ts'
import { HookRun } from './run.ts'

interface Added {
  readonly index: number
  readonly contributed: readonly Contributed[]
}

type Names = readonly string[]

const didProceed: Ending = { state: 'completed', answer: 'proceed' }
const hasObserved: Ending = { state: 'completed' }
const wasQueued: Ending = { state: 'backgrounded' }

/**
 * What the hooks of a dispatch have come to so far. Every run ends here and
 * leaves one record; what it means for the dispatch is returned.
 */
export class Ledger {
  value: unknown
  decision: Decision = proceed
  /** Of the batches before the current one. */
  contributions: Contributions = noContributions
  /** Which hooks completed; kept only where a hook needs another. */
  readonly completed: Set<number> | undefined
  readonly #home: Dispatch
  /**
   * The runs that have ended, from the last one back. No list: where a sink
   * keeps runs, V8 would soon make all lists in the space that lasts.
   */
  #last: HookRun | undefined
  #writers: Names = none
  #asked: readonly (Question & { readonly index: number })[] = none
  #added: readonly Added[] = none

  constructor(home: Dispatch, value: unknown) {
    const { plan, options } = home
    this.#home = home
    this.value = value
    this.completed = plan.hasNeeds ? new Set(options.completed) : undefined
  }

  /** A hook has answered, whatever that is worth. */
  settle(run: HookRun, given: unknown): End | undefined {
    const { planned, done } = run
    const breach = done?.breach
    const { nowMs, options } = this.#home
    if (nowMs > run.deadline) {
      run.abandon()
      return this.fail(planned, 'timed-out', run)
    }
    if (options.stage !== undefined) {
      if (breach !== undefined) return this.#fail(planned, breach, run)
      const isQueued =
        options.stage === 'observe' && planned.execution === 'background'
      return this.#complete(run, isQueued ? wasQueued : hasObserved)
    }
    if (given === proceed && breach === undefined) {
      return this.#complete(run, didProceed)
    }
    const answer = this.#judge(planned, given)
    if (answer instanceof HookError) return this.#fail(planned, answer, run)
    const { type, payload, reason } = answer
    // Whatever else a hook did wrong, an explicit reject rejects.
    if (breach !== undefined && type !== 'reject') {
      return this.#fail(planned, breach, run)
    }
    const isEnforced = planned.mode === 'enforce'
    const goesOn = type === 'proceed' || type === 'transform' || type === 'ask'
    const decided = isEnforced && !goesOn
    const state = 'completed'
    this.#complete(run, { state, answer: type, payload, reason, decided })
    return isEnforced ? this.#apply(planned, answer) : undefined
  }

  /** A hook gave no valid answer: its policy decides. */
  fail(
    planned: PlannedHook,
    code: FailureCode,
    run?: HookRun,
    cause?: unknown,
  ): End | undefined {
    // What it did wrong before it threw says more than what it threw.
    const breach = code === 'threw' ? run?.done?.breach : undefined
    const error = breach ?? describeFailure(code, planned.name, cause)
    return this.#fail(planned, error, run)
  }

  /** Observers have indices of their own, which nobody can need. */
  markCompleted({ index }: PlannedHook): void {
    if (this.#home.options.stage === undefined) this.completed?.add(index)
  }

  /** A run that ended without its own doing, or a hook that never began. */
  drop(planned: PlannedHook, note: RunNote, run?: HookRun): void {
    const state = run === undefined ? 'skipped' : 'cancelled'
    this.#record(planned, { state, note }, run)
  }

  /** Shows a finished batch to the next: in plan order, not as it arrived. */
  closeBatch(): void {
    if (this.#added.length === 0) return
    const added = inPlanOrder(this.#added).flatMap((one) => one.contributed)
    this.contributions = new Contributions([
      ...this.contributions.all,
      ...added,
    ])
    this.#added = none
  }

  /** What the hooks came to, if none of them ended the dispatch. */
  verdict(): Verdict {
    if (this.#asked.length === 0) return proceed
    const questions = inPlanOrder(this.#asked).map(({ by, question }) =>
      Object.freeze({ by, question }),
    )
    const [first] = questions
    const reason = first?.question
    this.decision = Object.freeze({ type: 'ask', by: first?.by, reason })
    return { type: 'ask', questions }
  }

  outcome(verdict: Verdict): OutcomeOf<PointShape> {
    const outcome = new LedgerOutcome(this, this.#writers, this.#last)
    // It is the caller's now: who keeps a run keeps nothing that it was given.
    this.value = undefined
    return verdict === proceed ? outcome : Object.assign(outcome, verdict)
  }

  #complete(run: HookRun, ending: Ending): undefined {
    const { planned, done } = run
    const contributed = done?.contributed
    const { engine } = this.#home
    if (!engine.ports.breaker.isIdle) engine.noteSuccess(planned.name)
    this.markCompleted(planned)
    const ended = contributed ? { ...ending, contributed } : ending
    this.#record(planned, ended, run)
    if (contributed !== undefined && planned.mode === 'enforce') {
      this.#added = [...this.#added, { index: planned.index, contributed }]
    }
  }

  #apply(
    { name: by, index }: PlannedHook,
    { type, payload, reason }: CheckedAnswer,
  ): Verdict | undefined {
    if (type === 'proceed') return undefined
    if (type === 'transform' || type === 'replace') this.#write(by, payload)
    if (type === 'transform') return undefined
    if (type === 'ask') {
      const question = payload as string // checked: text answers carry text
      this.#asked = [...this.#asked, { index, by, question }]
      return undefined
    }
    this.decision = Object.freeze({ type, by, reason })
    // An earlier ask stands: replacing the value answers no question.
    if (type === 'replace') return this.verdict()
    // Checked: each of the others carries what its verdict carries.
    return { type, by, [payloadKeys[type]]: payload } as Verdict
  }

  #fail(
    planned: PlannedHook,
    error: HookError<FailureCode>,
    run?: HookRun,
  ): End | undefined {
    const { engine, nowMs, options } = this.#home
    const { name } = planned
    const { code } = error
    const isEnforced = planned.mode === 'enforce' && options.stage === undefined
    const policy = isEnforced ? planned.onFailure : undefined
    const decided = policy === 'closed' || policy === 'required'
    const isSkipped = code === 'needs-failed' || code === 'quarantined'
    const ran = code === 'timed-out' ? 'timed_out' : 'failed'
    const state = isSkipped ? 'skipped' : ran
    // A hook that the caller, or the dispatch, gave too little time is not.
    const hadTime = run && nowMs - run.startedMs >= planned.timeoutMs
    const isToBlame =
      code === 'timed-out' ? hadTime : run || code === 'matcher-threw'
    if (isToBlame) {
      const { breaker } = engine.ports
      const fail = () => breaker.failed(name, nowMs)
      if (engine.guard('breaker', fail)) engine.alarm('quarantined', name)
    }
    const fallback = policy === 'fallback' ? planned.fallback : undefined
    const contributed = fallback?.contributed ?? none
    const ending = { state, decided, error, policy, contributed } as const
    this.#record(planned, ending, run)
    const counts = engine.count(name)
    counts.failures++
    if (policy === 'open' || policy === 'fallback') counts.failedOpen++
    // To evaluate a hook changes nothing, also for those that need it.
    if (planned.mode === 'evaluate') this.markCompleted(planned)
    if (fallback?.value !== undefined) this.#write(name, fallback.value)
    this.#added = [...this.#added, { index: planned.index, contributed }]
    const reason = `hook_error:${code}`
    if (policy === 'closed') {
      this.decision = Object.freeze({ type: 'reject', by: name, reason })
      return { type: 'reject', by: name, reason, failure: error }
    }
    if (policy !== 'required') return undefined
    const problem = `is required at ${planned.point}, and failed: ${code}`
    return hookError('required-failed', name, problem, error)
  }

  /** A judge is a port: if it throws, there was no valid answer. */
  #judge(planned: PlannedHook, given: unknown) {
    const { engine, plan } = this.#home
    try {
      return engine.ports.judge.answer(planned, plan.point, given)
    } catch (cause) {
      engine.alarm('port-threw', 'judge')
      return describeFailure('invalid-answer', planned.name, cause)
    }
  }

  /** Changes the point's subject; the rest of the input stays as it was. */
  #write(by: string, value: unknown): void {
    const { subject } = this.#home.plan.point
    this.value =
      subject === undefined
        ? value
        : Object.freeze({ ...(this.value as object), [subject]: value })
    this.#writers = Object.freeze([...this.#writers, by])
  }

  /** A hook that never began has a run, too, of no time at all. */
  #record(planned: PlannedHook, ending: Ending, given?: HookRun): void {
    const home = this.#home
    const run = given ?? new HookRun(home, planned)
    run.end()
    run.endedMs = home.nowMs
    run.ending = ending
    run.endedBefore = this.#last
    this.#last = run
    home.engine.runEnded(run)
  }
}

/** Records are written when asked for: mostly nobody does. */
class LedgerOutcome {
  readonly type = 'proceed'
  readonly value: unknown
  readonly writers: Names
  readonly contributions: Contributions
  readonly #last: HookRun | undefined

  constructor(ledger: Ledger, writers: Names, last?: HookRun) {
    this.value = ledger.value
    this.writers = writers
    this.contributions = ledger.contributions
    this.#last = last
  }

  get runs() {
    const runs: HookRun[] = []
    for (let run = this.#last; run; run = run.endedBefore) runs.push(run)
    return runs.reverse()
  }

  get records() {
    return this.runs.map(({ record }) => record)
  }
}

/** Not as they arrived: the outcome is a function of the declarations. */
function inPlanOrder<T extends { readonly index: number }>(
  list: readonly T[],
): T[] {
  return list.toSorted((a, b) => a.index - b.index)
}

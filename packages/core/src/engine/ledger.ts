import { proceed } from './answer.ts'
import { type CheckedAnswer, checkAnswer } from './check-answer.ts'
import type { Decision } from './context.ts'
import {
  type Contributed,
  Contributions,
  noContributions,
} from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import { type FailureCode, HookError } from './error.ts'
import { describeFailure } from './failure.ts'
import type { Fallback } from './hook.ts'
import type { OutcomeOf, Question, Verdict } from './outcome.ts'
import type { PointShape } from './point.ts'
import type { HookRecord, RunNote } from './record.ts'
import { type Ending, recordRun } from './record-run.ts'
import type { HookRun } from './run.ts'
import type { PlannedHook } from './table.ts'

interface Added {
  readonly index: number
  readonly contributed: readonly Contributed[]
}

const none: readonly never[] = []
const proceeded = { type: 'proceed' } as const
const didProceed: Ending = { state: 'completed', answer: 'proceed' }
const hasObserved: Ending = { state: 'completed' }
const wasQueued: Ending = { state: 'backgrounded' }

/** What ends a dispatch: a decision, or an error to its caller. */
export type End = Verdict | HookError

/**
 * What the hooks of a dispatch have come to so far. Every run ends here, in
 * one of four ways, and leaves one record; a verdict ends the dispatch.
 */
export class Ledger {
  value: unknown
  /** Of the batches before the current one. */
  contributions: Contributions = noContributions
  readonly #dispatch: Dispatch
  readonly #records: HookRecord[] = []
  /** Which hooks completed; kept only where a hook needs another. */
  readonly #completed: Set<number> | undefined
  #writers: readonly string[] = none
  #questions: readonly Question[] = none
  #added: Added[] | undefined = undefined

  constructor(dispatch: Dispatch, value: unknown) {
    this.#dispatch = dispatch
    this.value = value
    const { plan, options } = dispatch
    this.#completed = plan.hasNeeds ? new Set(options.completed) : undefined
  }

  get completed(): ReadonlySet<number> | undefined {
    return this.#completed
  }

  hasCompleted(needed: readonly number[]): boolean {
    const completed = this.#completed
    return completed === undefined || needed.every((at) => completed.has(at))
  }

  /** A hook has answered, whatever that is worth. */
  settle(run: HookRun, given: unknown): End | undefined {
    const { planned } = run
    const { nowMs, options } = this.#dispatch
    if (nowMs > run.deadline) return this.fail(planned, 'timed-out', { run })
    if (run.breach !== undefined) return this.#fail(planned, run.breach, run)
    if (options.stage !== undefined) {
      const isQueued =
        options.stage === 'observe' && planned.execution === 'background'
      this.#complete(run, isQueued ? wasQueued : hasObserved)
      return undefined
    }
    if (given === proceed) {
      this.#complete(run, didProceed)
      return undefined
    }
    const answer = checkAnswer(planned.hook, given)
    if (answer instanceof HookError) return this.#fail(planned, answer, run)
    const isEnforced = planned.mode === 'enforce'
    const decided = isEnforced && isFinal(answer)
    this.#complete(run, { state: 'completed', answer: answer.type, decided })
    return isEnforced ? this.#apply(planned.name, answer) : undefined
  }

  /** A hook gave no valid answer: its policy decides. */
  fail(
    planned: PlannedHook,
    code: FailureCode,
    { run, cause }: { run?: HookRun; cause?: unknown } = {},
  ): End | undefined {
    return this.#fail(planned, describeFailure(code, planned, cause), run)
  }

  /** A run that ended without its own doing, or a hook that never began. */
  drop(planned: PlannedHook, note: RunNote, run?: HookRun): void {
    const state = run === undefined ? 'skipped' : 'cancelled'
    this.#records.push(recordRun(this.#dispatch, planned, { state, note }, run))
  }

  /** Shows a finished batch to the next: in plan order, not as it arrived. */
  closeBatch(): void {
    if (this.#added === undefined) return
    const added = this.#added
      .sort((a, b) => a.index - b.index)
      .flatMap(({ contributed }) => contributed)
    this.contributions = new Contributions([
      ...this.contributions.all,
      ...added,
    ])
    this.#added = undefined
  }

  /** What the hooks came to if none of them ended the dispatch. */
  verdict(): Extract<Verdict, { type: 'proceed' | 'ask' }> {
    if (this.#questions.length === 0) return proceeded
    return { type: 'ask', questions: this.#questions }
  }

  outcome(verdict: Verdict): OutcomeOf<PointShape> {
    this.closeBatch()
    const { value, contributions } = this
    const writers = this.#writers
    const records = this.#records
    if (verdict === proceeded) {
      return { type: 'proceed', value, writers, contributions, records }
    }
    return { ...verdict, value, writers, contributions, records }
  }

  #complete(run: HookRun, ending: Ending): void {
    const { planned } = run
    const { breaker } = this.#dispatch.kernel
    run.isOver = true
    if (!breaker.isIdle) breaker.succeeded(planned.hook)
    this.#completed?.add(planned.index)
    this.#records.push(recordRun(this.#dispatch, planned, ending, run))
    if (run.contributed !== undefined && planned.mode === 'enforce') {
      this.#add(planned, run.contributed)
    }
  }

  #apply(by: string, { type, payload }: CheckedAnswer): End | undefined {
    const text = payload as string // checked: text answers carry text
    switch (type) {
      case 'proceed':
        return undefined
      case 'transform':
        this.#write(by, payload)
        return undefined
      case 'replace':
        this.#write(by, payload)
        // An earlier ask stands: replacing the value answers no question.
        return { ...this.verdict(), replacedBy: by }
      case 'ask':
        this.#questions = [...this.#questions, { by, question: text }]
        return undefined
      case 'reject':
        return { type, by, reason: text }
      case 'respond':
        return { type, by, output: payload }
      case 'endTurn':
        return { type, by, reason: text }
      case 'keepGoing':
        return { type, by, feedback: text }
    }
  }

  #fail(
    planned: PlannedHook,
    error: HookError<FailureCode>,
    run?: HookRun,
  ): End | undefined {
    const { kernel, nowMs, options } = this.#dispatch
    const { name, hook, mode } = planned
    const { code } = error
    if (run !== undefined) run.isOver = true
    const wasRun = code !== 'needs-failed' && code !== 'quarantined'
    if (wasRun && kernel.breaker.failed(hook, nowMs)) {
      kernel.alarm('quarantined', name, `Hook "${name}" keeps failing.`)
    }
    const isEnforced = mode === 'enforce' && options.stage === undefined
    const policy = isEnforced ? planned.onFailure : undefined
    const counts = kernel.count(name)
    counts.failures++
    if (policy === 'open' || policy === 'fallback') counts.failedOpen++
    const ending: Ending = {
      state: code === 'timed-out' ? 'timed_out' : wasRun ? 'failed' : 'skipped',
      decided: policy === 'closed' || policy === 'required',
      error,
      policy,
    }
    this.#records.push(recordRun(this.#dispatch, planned, ending, run))
    switch (policy) {
      case 'closed': {
        const reason = `hook_error:${code}`
        return { type: 'reject', by: name, reason, failure: error }
      }
      case 'required':
        return new HookError(
          'required-failed',
          `Hook "${name}" is required at ${planned.point}, and failed (${code}).`,
          { hook: name, cause: error },
        )
      case 'fallback':
        this.#fallBack(planned)
    }
    return undefined
  }

  #fallBack(planned: PlannedHook): void {
    // Checked: a hook with this policy has a fallback, which is valid.
    const { fallback } = planned.hook.onFailure as {
      fallback: Fallback<PointShape>
    }
    const { value, contributions } = fallback
    const by = planned.name
    if (value !== undefined) this.#write(by, value)
    if (contributions === undefined) return
    this.#add(
      planned,
      contributions.map((one) => Object.freeze({ by, ...one })),
    )
  }

  /** Changes the point's subject; the rest of the input stays as it was. */
  #write(by: string, value: unknown): void {
    const { subject } = this.#dispatch.plan.point
    this.value =
      subject === undefined
        ? value
        : Object.freeze({ ...(this.value as object), [subject]: value })
    this.#writers = [...this.#writers, by]
  }

  #add({ index }: PlannedHook, contributed: readonly Contributed[]): void {
    this.#added ??= []
    this.#added.push({ index, contributed })
  }
}

function isFinal({ type }: CheckedAnswer): boolean {
  return type !== 'proceed' && type !== 'transform' && type !== 'ask'
}

/** How a dispatch ended, as its observers are told. */
export function decisionOf(end: End): Decision {
  if (end instanceof HookError) {
    const type = end.code === 'cancelled' ? 'cancelled' : 'error'
    return { type, by: end.hook, reason: end.code }
  }
  switch (end.type) {
    case 'proceed': {
      const by = end.replacedBy
      const type = by === undefined ? 'proceed' : 'replace'
      return { type, by, reason: undefined }
    }
    case 'ask': {
      const [first] = end.questions
      return { type: 'ask', by: first?.by, reason: first?.question }
    }
    case 'respond':
      return { type: 'respond', by: end.by, reason: undefined }
    case 'keepGoing':
      return { type: 'keepGoing', by: end.by, reason: end.feedback }
    case 'reject':
    case 'endTurn':
      return { type: end.type, by: end.by, reason: end.reason }
  }
}

import type { HookContext } from './context.ts'
import {
  type Contributed,
  type Contribution,
  checkContribution,
} from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import type { FailureCode, HookError } from './error.ts'
import type { RunOptions } from './options.ts'
import type { Decision, Outcome } from './outcome.ts'
import type { PlannedHook } from './plan.ts'
import type { InputOf, Point, PointShape } from './point.ts'
import type { Diagnostic } from './record.ts'
import type { MaybePromise } from './state.ts'
import { cleanText } from './text.ts'

const maxDiagnostics = 16
const maxDiagnosticChars = 512

/** One hook executed once: what the hook sees of it is its context. */
export class HookRun implements HookContext<PointShape> {
  readonly home: Dispatch
  readonly planned: PlannedHook
  readonly startedMs: number
  readonly deadline: number
  /** It has ended as far as its dispatch is concerned. */
  isOver = false
  /** The first thing it did that voids its answer, even if it caught it. */
  breach: HookError<FailureCode> | undefined
  contributed: Contributed[] | undefined
  diagnostics: Diagnostic[] | undefined
  /** Dispatches asked from inside this run: they end with it. */
  children: Dispatch[] | undefined
  #controller: AbortController | undefined

  constructor(home: Dispatch, planned: PlannedHook, deadline: number) {
    this.home = home
    this.planned = planned
    this.startedMs = home.nowMs
    this.deadline = deadline
  }

  get run() {
    return `${this.home.id}/${this.hook}`
  }

  get hook() {
    return this.planned.name
  }

  get point() {
    return this.planned.point
  }

  get scope() {
    return this.home.scope
  }

  get state() {
    return this.home.options.state ?? this.home.engine.ports.state
  }

  get depth() {
    return this.home.depth
  }

  get contributions() {
    return this.home.ledger.contributions
  }

  /** Only observers are shown it, and for them it is there. */
  get decision() {
    return this.home.options.decision as Decision
  }

  get remainingMs() {
    return Math.max(0, this.deadline - this.home.engine.ports.clock.now())
  }

  /** Made when first asked for: most hooks never do. */
  get signal() {
    this.#controller ??= new AbortController()
    if (this.isOver) this.#controller.abort()
    return this.#controller.signal
  }

  emit(event: unknown): void {
    const { home, hook } = this
    home.engine.emit({ type: 'hook-event', dispatch: home.id, hook, event })
  }

  diagnose(code: string, message: string, { safeForUser = false } = {}): void {
    this.diagnostics ??= []
    if (this.isOver || this.diagnostics.length === maxDiagnostics) return
    this.diagnostics.push({
      code: cleanText(code, maxDiagnosticChars),
      message: cleanText(message, maxDiagnosticChars),
      safeForUser,
    })
  }

  contribute(contribution: Contribution): void {
    const { hook } = this.planned
    if (this.isOver) return
    const { kind, value } = contribution
    const error = checkContribution(hook, { kind, value })
    if (error !== undefined) {
      // Also when the hook catches it: a half-made contribution must not pass.
      this.breach ??= error
      throw error
    }
    this.contributed ??= []
    this.contributed.push(Object.freeze({ by: hook.name, kind, value }))
  }

  dispatch<P extends Point>(
    point: P,
    input: InputOf<P>,
    options?: RunOptions<P>,
  ): MaybePromise<Outcome<P>> {
    return this.home.engine.run(point, input, { ...options, parent: this })
  }

  /** Whether this run, or one it is nested in, is as asked. */
  isInside(test: (run: HookRun) => boolean): boolean {
    return test(this) || (this.home.options.parent?.isInside(test) ?? false)
  }

  /** The answer no longer counts: tell the hook to stop. */
  abandon(): void {
    this.isOver = true
    this.#controller?.abort()
    for (const child of this.children ?? []) child.cancel()
  }
}

import { checkContribution, missingCapability } from './check-hook.ts'
import type { Decision, HookContext } from './context.ts'
import type {
  Contributed,
  Contribution,
  Contributions,
} from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import { type FailureCode, HookError } from './error.ts'
import type { Outcome } from './outcome.ts'
import type { InputOf, Point, PointShape } from './point.ts'
import { type Diagnostic, runId } from './record.ts'
import type { RunOptions } from './run-options.ts'
import type { MaybePromise, State } from './state.ts'
import type { PlannedHook } from './table.ts'
import { cleanText } from './text.ts'

const maxDiagnostics = 16
const maxDiagnosticPoints = 512
const undecided: Decision = {
  type: 'proceed',
  by: undefined,
  reason: undefined,
}

/** One hook executed once: what the hook sees of it is its context. */
export class HookRun implements HookContext<PointShape> {
  readonly home: Dispatch
  readonly planned: PlannedHook
  readonly startedMs: number
  readonly deadline: number
  /** It has ended as far as its dispatch is concerned. */
  isOver = false
  /** The first thing it did that voids its answer, even if it caught it. */
  breach: HookError<FailureCode> | undefined = undefined
  contributed: Contributed[] | undefined = undefined
  diagnostics: Diagnostic[] | undefined = undefined
  #controller: AbortController | undefined = undefined
  #children: Dispatch[] | undefined = undefined

  constructor(home: Dispatch, planned: PlannedHook, deadline: number) {
    this.home = home
    this.planned = planned
    this.startedMs = home.nowMs
    this.deadline = deadline
  }

  get run(): string {
    return runId({ dispatch: this.home.id, hook: this.hook })
  }

  get hook(): string {
    return this.planned.name
  }

  get point(): string {
    return this.planned.point
  }

  get scope(): object {
    return this.home.scope
  }

  get state(): State {
    return this.home.options.state ?? this.home.kernel.state
  }

  get depth(): number {
    return this.home.depth
  }

  get contributions(): Contributions {
    return this.home.ledger.contributions
  }

  get decision(): Decision {
    return this.home.options.decision ?? undecided
  }

  get remainingMs(): number {
    return Math.max(0, this.deadline - this.home.kernel.clock.now())
  }

  /** Made when first asked for: most hooks never do. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.isOver) this.#controller.abort()
    return this.#controller.signal
  }

  emit(event: unknown): void {
    const { home, hook } = this
    home.kernel.emit({ type: 'hook-event', dispatch: home.id, hook, event })
  }

  diagnose(
    code: string,
    message: string,
    options: { readonly safeForUser?: boolean } = {},
  ): void {
    this.diagnostics ??= []
    if (this.isOver || this.diagnostics.length >= maxDiagnostics) return
    this.diagnostics.push({
      code: cleanText(code, maxDiagnosticPoints),
      message: cleanText(message, maxDiagnosticPoints),
      safeForUser: options.safeForUser ?? false,
    })
  }

  contribute(contribution: Contribution): void {
    if (this.isOver) return
    const { kind, value } = contribution
    const { hook } = this.planned
    const undeclared = missingCapability(hook, kind)
    const problem = undeclared ?? checkContribution(hook.on, kind, value)
    if (problem === undefined) {
      this.contributed ??= []
      this.contributed.push(Object.freeze({ by: hook.name, kind, value }))
      return
    }
    const error = new HookError(
      undeclared ? 'missing-capability' : 'contribution-not-allowed',
      `Hook "${hook.name}" ${problem}.`,
      { hook: hook.name },
    )
    // Also when the hook catches it: a half-made contribution must not pass.
    this.breach ??= error
    throw error
  }

  dispatch<P extends Point>(
    point: P,
    input: InputOf<P>,
    options?: RunOptions<P>,
  ): MaybePromise<Outcome<P>> {
    const { kernel } = this.home
    const outcome = kernel.run(point, input, { ...options, parent: this })
    // The kernel knows points by name; their types are the caller's.
    return outcome as MaybePromise<Outcome<P>>
  }

  /** Whether a hook of this name is this run's, or one it is nested in. */
  isInside(name: string): boolean {
    if (this.planned.name === name) return true
    return this.home.options.parent?.isInside(name) ?? false
  }

  /** Whether this run, or one it is nested in, is an observer's. */
  isObserving(): boolean {
    const { stage, parent } = this.home.options
    return stage !== undefined || (parent?.isObserving() ?? false)
  }

  /** A dispatch asked from inside this run ends with it. */
  adopt(child: Dispatch): void {
    this.#children ??= []
    this.#children.push(child)
  }

  /** The answer no longer counts: tell the hook to stop. */
  abandon(): void {
    this.isOver = true
    this.#controller?.abort()
    for (const child of this.#children ?? []) child.cancel()
  }
}

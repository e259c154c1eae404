import type { WallOffset } from './clock.ts'
import type { HookContext } from './context.ts'
import type { Contributed, Contribution } from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import type { Engine, HookEngine } from './engine.ts'
import { type FailureCode, HookError, hookError } from './error.ts'
import { scopeOf, stateOf } from './nesting.ts'
import type { Decision } from './outcome.ts'
import type { PlannedHook } from './plan.ts'
import type { PointShape } from './point.ts'
import type {
  Diagnostic,
  EndedRun,
  Ending,
  HookRecord,
  KnownRun,
} from './record.ts'

const maxContributions = 1_000
const maxDiagnostics = 16
const unended: Ending = { state: 'started' }

/** What a run does beside answering: most do nothing. */
class Deeds {
  /** The first thing that voids its answer, even if it caught it. */
  breach: HookError<FailureCode> | undefined
  contributed: Contributed[] | undefined
  readonly diagnostics: Diagnostic[] = []
  /** Dispatches asked from inside the run. */
  readonly children: Dispatch[] = []
}

/** One hook executed once: what the hook sees of it is its context. */
export class HookRun implements HookContext<PointShape>, EndedRun, KnownRun {
  readonly home: Dispatch
  readonly planned: PlannedHook
  readonly startedMs: number
  /** It has ended as far as its dispatch is concerned. */
  isOver = false
  endedMs = Infinity
  ending = unended
  /** The run of its dispatch that ended before it. */
  endedBefore: HookRun | undefined
  readonly #wall: WallOffset
  #record: HookRecord | undefined
  done: Deeds | undefined
  /** Null: it was abandoned before it asked for a signal. */
  #controller: AbortController | null | undefined

  constructor(home: Dispatch, planned: PlannedHook) {
    this.home = home
    this.planned = planned
    this.startedMs = home.nowMs
    this.#wall = home.engine.ports.wall.at(home.nowMs)
  }

  get startedAt() {
    return this.startedMs + this.#wall.ms
  }

  get deadline() {
    const ownDeadline = this.startedMs + this.planned.timeoutMs
    return Math.min(ownDeadline, this.home.deadline)
  }

  get latencyMs() {
    return this.endedMs - this.startedMs
  }

  /** Written when first asked for: often nobody does. There once it has ended. */
  get record(): HookRecord {
    this.#record ??= this.home.engine.ports.writer.record(this)
    return this.#record
  }

  /** Where what it does is kept. */
  get deeds() {
    this.done ??= new Deeds()
    return this.done
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
    return scopeOf(this.home)
  }

  get state() {
    return stateOf(this.home)
  }

  get depth() {
    return this.home.depth
  }

  get contributions() {
    const { options, ledger } = this.home
    return options.contributions ?? ledger.contributions
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
    const isAbandoned = this.#controller === null
    this.#controller ??= new AbortController()
    if (isAbandoned) this.#controller.abort()
    return this.#controller.signal
  }

  // Functions are given out by getters, so that hooks can take them apart
  // from the context and none is made that is not asked for.
  get emit() {
    return (event: unknown) => {
      const { home, hook } = this
      home.engine.emit({ type: 'hook-event', dispatch: home.id, hook, event })
    }
  }

  get diagnose() {
    return (code: string, message: string, { safeForUser = false } = {}) => {
      const { judge } = this.home.engine.ports
      const { diagnostics } = this.deeds
      if (this.isOver || diagnostics.length === maxDiagnostics) return
      diagnostics.push(judge.diagnostic(code, message, safeForUser))
    }
  }

  get contribute() {
    return (contribution: Contribution) => {
      if (this.isOver) return
      const { planned, home, deeds } = this
      const made =
        deeds.contributed?.length === maxContributions
          ? hookError('too-large', this.hook, 'contributes too much')
          : home.engine.ports.judge.contribution(
              planned,
              home.plan.point,
              contribution,
            )
      if (made instanceof HookError) {
        // Also when the hook catches it: half a contribution must not pass.
        deeds.breach ??= made
        throw made
      }
      deeds.contributed ??= []
      deeds.contributed.push(made)
    }
  }

  get dispatch(): Engine['run'] {
    return (point, input, options) =>
      this.home.engine.run(point, input, {
        ...options,
        parent: this,
        outlives: false,
      })
  }

  /** Whether this is a run of that hook, or is nested in one. */
  isInsideOf(name: string, engine: HookEngine): boolean {
    const { parent, chain } = this.home.options
    if (this.hook === name && this.home.engine === engine) return true
    return parent?.isInsideOf(name, engine) ?? chain?.includes(name) ?? false
  }

  /** Whether this run, or one it is nested in, is an observer's. */
  isObserving(): boolean {
    const { stage, parent } = this.home.options
    return stage !== undefined || (parent?.isObserving() ?? false)
  }

  /** What it has asked for and not waited for ends with it. */
  end(): void {
    this.isOver = true
    if (this.done === undefined) return
    for (const child of this.done.children) child.cancel()
  }

  /** The answer no longer counts: tell the hook to stop. */
  abandon(): void {
    this.isOver = true
    this.#controller?.abort()
    this.#controller ??= null
    this.end()
  }
}

import type { Decision } from './context.ts'
import { Dispatch, type InnerOptions } from './dispatch.ts'
import { HookError } from './error.ts'
import type { Kernel } from './kernel.ts'
import type { Job } from './options.ts'
import type { HookRecord, RunNote } from './record.ts'
import type { HookRun } from './run.ts'
import type { Plan } from './table.ts'

/** Runs the hooks that nobody waits for: after the fact, or as jobs. */
export class Observers {
  readonly #kernel: Kernel
  #queue: (() => void)[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** Starts the observers of a dispatch soon: its caller goes first. */
  after(dispatch: Dispatch, decision: Decision): void {
    const { plan, id, ledger, scope, options } = dispatch
    const { value, completed } = ledger
    const observed = { ...plan, waited: plan.observers, observers: [] }
    // The caller's signal stays behind: what has happened was observed.
    const { signal: _, ...kept } = options
    const inner: InnerOptions = {
      ...kept,
      stage: 'observe',
      id,
      scope,
      decision,
      completed,
    }
    this.#soon(() => this.#run(observed, value, inner))
  }

  /** Runs a queued job, if it still fits the table. */
  async perform(job: Job): Promise<HookRecord> {
    const plan = this.#kernel.table.plans.get(job.point)
    const planned = plan?.observers.find((one) => one.name === job.hook)
    if (plan === undefined || planned?.execution !== 'background') {
      return this.#skip(job, 'unregistered')
    }
    const { id, version } = planned.handler
    if (id !== job.handler.id || version !== job.handler.version) {
      return this.#skip(job, 'version-changed')
    }
    const alone = { ...plan, waited: [planned], observers: [], hasNeeds: false }
    const { dispatch, scope, decision, attempt } = job
    const records = await this.#run(alone, job.input, {
      stage: 'perform',
      id: dispatch,
      scope,
      decision,
      attempt,
    })
    return records[0] as HookRecord // the one hook has run: it always leaves one
  }

  /** Settles when every observer that has started, or will, has ended. */
  async drain(caller: HookRun | undefined): Promise<void> {
    if (caller?.isObserving()) {
      throw new HookError(
        'self-wait',
        `Hook "${caller.hook}" would wait for itself: draining waits for every observer.`,
        { hook: caller.hook },
      )
    }
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** What an observer queued for later does when its time comes. */
  enqueue(run: HookRun, input: unknown): unknown {
    const { home, planned } = run
    const job: Job = {
      dispatch: home.id,
      point: planned.point,
      hook: planned.name,
      handler: planned.handler,
      input,
      scope: home.scope,
      decision: run.decision,
      attempt: 1,
    }
    const { enqueue } = this.#kernel.options
    if (enqueue !== undefined) return enqueue(job)
    this.#soon(() => this.perform(job))
    return undefined
  }

  #soon(start: () => Promise<unknown>): void {
    const settled = new Promise<void>((resolve) => {
      if (this.#queue.length === 0)
        this.#kernel.clock.after(0, () => this.#flush())
      this.#queue.push(() => void start().then(() => resolve()))
    })
    this.#running.add(settled)
    void settled.then(() => this.#running.delete(settled))
  }

  #flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (const start of queue) start()
  }

  async #run(
    plan: Plan,
    input: unknown,
    options: InnerOptions,
  ): Promise<readonly HookRecord[]> {
    const kernel = this.#kernel
    const dispatch = new Dispatch(kernel, plan, input, options)
    const { contributions, records } = await dispatch.start()
    if (contributions.all.length > 0) {
      kernel.guardPort('collect', () =>
        kernel.options.collect?.(contributions.all),
      )
    }
    return records
  }

  #skip(job: Job, note: RunNote): HookRecord {
    const { clock, records } = this.#kernel
    const record: HookRecord = {
      dispatch: job.dispatch,
      point: job.point,
      hook: job.hook,
      handler: job.handler,
      visibility: 'internal',
      mode: 'enforce',
      attempt: job.attempt,
      state: 'skipped',
      note,
      startedAt: clock.wall(),
      latencyMs: 0,
      answer: undefined,
      decided: false,
      failure: undefined,
      policy: undefined,
      failedOpen: false,
      contributions: [],
      diagnostics: [],
    }
    records.end(record)
    return record
  }
}

import {
  Dispatch,
  freezeDeep,
  type HandlerId,
  type HookEngine,
  type HookRecord,
  type HookRun,
  hookError,
  type InnerOptions,
  type Job,
  type JobOptions,
  type JobRefusal,
  type Observers,
  type Outcome,
  type Plan,
  type PlannedHook,
  scopeOf,
  stateOf,
} from '../engine/index.ts'

// Refused, or never judged to the end.
const unjudged: ReadonlySet<string> = new Set(['reject', 'error', 'cancelled'])

/** Runs the hooks that nobody waits for: after the fact, or as jobs. */
export class LocalObservers implements Observers {
  readonly #engine: HookEngine
  #queue: (() => void)[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(engine: HookEngine) {
    this.#engine = engine
  }

  /** Starts the observers of a dispatch soon: its caller goes first. */
  after(dispatch: Dispatch): void {
    const { plan, id, ledger, options } = dispatch
    const scope = scopeOf(dispatch)
    const { completed, decision, contributions } = ledger
    const value = this.#valueFor(dispatch)
    const waited = plan.observers.map((planned) => this.#queued(planned))
    const observed: Plan = { ...plan, waited, observers: [] }
    // The caller's signal stays behind: what has happened is observed.
    const { signal: _, observed: told, ...kept } = options
    const about = { id, scope, decision, completed, contributions }
    const inner: InnerOptions = { ...kept, ...about, stage: 'observe' }
    this.#soon(async () => {
      await this.#run(observed, value, inner)
      if (told) this.#engine.guard('observed', told)
    })
  }

  /** Runs a queued job, if it still fits the table. */
  async perform(
    job: Job,
    options: JobOptions = {},
  ): Promise<HookRecord | JobRefusal> {
    const { table = this.#engine.table } = options
    const plan = table.plans.get(job.point)
    const planned = plan?.observers.find((one) => one.name === job.hook)
    if (plan === undefined || planned?.execution !== 'background') {
      return 'unregistered'
    }
    if (!isSame(planned.handler, job.handler)) return 'version-changed'
    // It matched, and what it needs had completed, when it was queued.
    const due: PlannedHook = { ...planned, matches: undefined }
    const alone = { ...plan, waited: [due], observers: [], hasNeeds: false }
    const { dispatch: id, scope, decision, chain, attempt } = freezeDeep(job)
    const about = { id, scope, decision, chain, attempt }
    const inner: InnerOptions = { ...options, ...about, stage: 'perform' }
    const { records } = await this.#run(alone, job.input, inner)
    return records[0] as HookRecord // the one hook has run, and left a record
  }

  /** Settles when every observer that has started, or will, has ended. */
  async drain(caller: HookRun | undefined): Promise<void> {
    if (caller?.isObserving()) {
      throw hookError('self-wait', caller.hook, 'would wait for itself')
    }
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /**
   * What was withheld is withheld from whoever watches, too. If it cannot be
   * concealed, they are told nothing of it.
   */
  #valueFor({ plan, ledger }: Dispatch): unknown {
    const { conceal } = plan.point
    const { value, decision } = ledger
    if (conceal === undefined || !unjudged.has(decision.type)) return value
    return this.#engine.guard('conceal', () => freezeDeep(conceal(value)))
  }

  /** A background hook, when its time comes, only becomes a job. */
  #queued(planned: PlannedHook): PlannedHook {
    if (planned.execution !== 'background') return planned
    const { point, name, handler } = planned
    const run = (input: unknown, { home, decision }: HookRun) =>
      this.#enqueue(home, {
        dispatch: home.id,
        point,
        hook: name,
        handler,
        input,
        scope: scopeOf(home),
        decision,
        chain: chainOf(home),
        attempt: 1,
      })
    // The context that the engine gives a hook is its run.
    return {
      ...planned,
      run: (input, context) => run(input, context as HookRun),
    }
  }

  #enqueue(home: Dispatch, job: Job): void | PromiseLike<void> {
    const { enqueue } = this.#engine.ports
    if (enqueue !== undefined) return enqueue(job)
    const { table = this.#engine.table } = home.options
    const state = stateOf(home)
    this.#soon(async () => {
      const performed = await this.perform(job, { state, table })
      // Nobody else would hear of it.
      if (typeof performed === 'string') {
        this.#engine.alarm('job-refused', job.hook)
      }
    })
  }

  #soon(start: () => Promise<unknown>): void {
    const { clock } = this.#engine.ports
    if (this.#queue.length === 0) clock.after(0, () => this.#flush())
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#queue.push(() => void start().then(() => resolve()))
    this.#running.add(promise)
    void promise.then(() => this.#running.delete(promise))
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
  ): Promise<Outcome> {
    const engine = this.#engine
    const dispatch = new Dispatch(engine, plan, input, options)
    const outcome = await dispatch.start()
    const { all } = outcome.contributions
    if (all.length > 0) {
      const scope = scopeOf(dispatch)
      engine.guard('collect', () => engine.ports.collect?.(all, scope))
    }
    return outcome
  }
}

/** The hooks that led to a dispatch, the outermost first. */
function chainOf({ options }: Dispatch): readonly string[] {
  const { parent, chain = [] } = options
  return parent === undefined ? chain : [...chainOf(parent.home), parent.hook]
}

/** What runs is what was meant: by its id, its kind and its version. */
function isSame(one: HandlerId, other: HandlerId): boolean {
  const { id, kind, version } = other
  return one.id === id && one.kind === kind && one.version === version
}

import type { FailurePolicy, RunNote } from '../src/engine/record.ts'

/** What a hook of a race can say; `junk` is no answer. */
export type Said = 'proceed' | 'reject' | 'ask' | 'transform' | 'junk' | 'throw'

export interface Racer {
  /** `sync` answers `first` at once; the others when the schedule says so. */
  readonly kind: 'sync' | 'promise' | 'thenable'
  readonly first: Said
  readonly policy: FailurePolicy
  readonly timeoutMs: number
  /** Follows every hook of the layer before its own. */
  readonly layer: number
  readonly needs: boolean
  /** What it does to the outside world before it gives anything. */
  readonly act: 'nothing' | 'cancel' | 'swap'
}

/** What happens in one turn of the event loop, in order. */
export type Action =
  | { readonly do: 'say'; readonly hook: number; readonly said: Said }
  | { readonly do: 'cancel' | 'swap' }
  | { readonly do: 'block'; readonly ms: number }

type Step = { readonly passMs: number } | { readonly burst: readonly Action[] }

export interface Race {
  readonly flow: 'serial' | 'parallel'
  readonly parallelism: number
  readonly dispatchMs: number
  readonly racers: readonly Racer[]
  readonly steps: readonly Step[]
}

/** How the run of one hook ended. */
export interface Ended {
  readonly state: string
  readonly note?: RunNote
  readonly answer?: string
  readonly code?: string
}

export interface Expected {
  readonly type: string
  readonly by: number | undefined
  readonly writers: readonly number[]
  readonly started: readonly number[]
  readonly ended: readonly (Ended | undefined)[]
  /** Answers that came when they no longer counted. */
  readonly late: readonly number[]
  /** Its own run was under way when it cancelled: how that ends is open. */
  readonly canceller: number | undefined
}

/** What a schedule must come to: one thing after the other, by the book. */
export class RaceModel {
  readonly #race: Race
  #now = 0
  #next = 0
  #end: { type: string; by?: number } | undefined
  #canceller: number | undefined
  #hasAsked = false
  readonly #writers: number[] = []
  readonly #started: number[] = []
  readonly #active: { hook: number; deadline: number }[] = []
  /** Hooks whose own work goes on, whether it still counts or not. */
  readonly #working = new Set<number>()
  readonly #ended: (Ended | undefined)[]
  readonly #late: number[]

  constructor(race: Race) {
    this.#race = race
    this.#ended = race.racers.map(() => undefined)
    this.#late = race.racers.map(() => 0)
  }

  play(): Expected {
    const { steps, dispatchMs } = this.#race
    this.#goOn()
    for (const step of steps) {
      if ('passMs' in step) this.#pass(step.passMs)
      else this.#burst(step.burst)
    }
    this.#pass(dispatchMs)
    for (const hook of [...this.#working]) this.#hear(hook, 'proceed')
    return {
      type: this.#end?.type ?? 'nothing',
      by: this.#end?.by,
      writers: this.#writers,
      started: this.#started,
      ended: this.#ended,
      late: this.#late,
      canceller: this.#canceller,
    }
  }

  #pass(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const due = Math.min(...this.#active.map(({ deadline }) => deadline))
      if (due > until) break
      this.#now = Math.max(this.#now, due)
      for (const { hook, deadline } of [...this.#active]) {
        if (deadline <= this.#now) this.#fail(hook, 'timed-out')
      }
      this.#goOn()
    }
    this.#now = until
  }

  /** Whoever cancels or blocks does so before an answer can be heard. */
  #burst(burst: readonly Action[]): void {
    const heard: [number, Said][] = []
    for (const action of burst) {
      if (action.do === 'cancel') this.#finish({ type: 'cancelled' })
      if (action.do === 'block') this.#now += action.ms
      if (action.do !== 'say' || !this.#working.has(action.hook)) continue
      this.#working.delete(action.hook)
      heard.push([action.hook, action.said])
    }
    for (const [hook, said] of heard) this.#hear(hook, said)
  }

  #hear(hook: number, said: Said): void {
    this.#working.delete(hook)
    const run = this.#active.find((one) => one.hook === hook)
    if (run === undefined) {
      this.#late[hook] = (this.#late[hook] ?? 0) + 1
      return
    }
    this.#judge(hook, said, run.deadline)
    this.#goOn()
  }

  #judge(hook: number, said: Said, deadline: number): void {
    const isParallel = this.#race.flow === 'parallel'
    if (said === 'throw') this.#fail(hook, 'threw')
    else if (this.#now > deadline) this.#fail(hook, 'timed-out')
    else if (said === 'junk') this.#fail(hook, 'invalid-answer')
    else if (said === 'transform' && isParallel) {
      this.#fail(hook, 'answer-not-allowed')
    } else {
      this.#close(hook, { state: 'completed', answer: said })
      if (said === 'transform') this.#writers.push(hook)
      if (said === 'ask') this.#hasAsked = true
      if (said === 'reject') this.#finish({ type: 'reject', by: hook })
    }
  }

  #fail(hook: number, code: string): void {
    if (this.#end !== undefined) return
    const { policy } = this.#race.racers[hook] as Racer
    const hasRun = code === 'timed-out' ? 'timed_out' : 'failed'
    const state = code === 'needs-failed' ? 'skipped' : hasRun
    this.#close(hook, { state, code })
    if (policy === 'closed') this.#finish({ type: 'reject', by: hook })
    if (policy === 'required') {
      this.#finish({ type: 'required-failed', by: hook })
    }
  }

  #close(hook: number, ended: Ended): void {
    const at = this.#active.findIndex((run) => run.hook === hook)
    if (at >= 0) this.#active.splice(at, 1)
    this.#ended[hook] = ended
  }

  #finish(end: { type: string; by?: number }): void {
    if (this.#end !== undefined) return
    this.#end = end
    const isCancelled = end.type === 'cancelled'
    for (const { hook } of this.#active.splice(0)) {
      const note = isCancelled ? 'caller-cancelled' : 'superseded'
      this.#ended[hook] = { state: 'cancelled', note }
    }
    for (; this.#next < this.#race.racers.length; this.#next++) {
      const note = isCancelled ? 'caller-cancelled' : 'chain-ended'
      this.#ended[this.#next] = { state: 'skipped', note }
    }
  }

  #goOn(): void {
    const { racers, flow, parallelism } = this.#race
    const atOnce = flow === 'serial' ? 1 : parallelism
    while (this.#end === undefined && this.#active.length < atOnce) {
      const racer = racers[this.#next]
      const isAlone = this.#active.length === 0
      if (racer === undefined) {
        if (!isAlone) return
        this.#finish({ type: this.#hasAsked ? 'ask' : 'proceed' })
      } else {
        const isNew = racers[this.#next - 1]?.layer !== racer.layer
        if (isNew && !isAlone) return
        this.#start(this.#next++, racer)
      }
    }
  }

  #start(hook: number, racer: Racer): void {
    const { racers, dispatchMs } = this.#race
    const isReady = racers.every(
      ({ layer }, at) =>
        layer !== racer.layer - 1 || this.#ended[at]?.state === 'completed',
    )
    const isTooLate = this.#now >= dispatchMs
    if (racer.needs && !isReady) this.#fail(hook, 'needs-failed')
    else if (isTooLate) this.#fail(hook, 'timed-out')
    else this.#run(hook, racer)
  }

  #run(hook: number, racer: Racer): void {
    const { dispatchMs } = this.#race
    this.#started.push(hook)
    const deadline = Math.min(this.#now + racer.timeoutMs, dispatchMs)
    if (racer.act === 'cancel') {
      this.#canceller = hook
      this.#finish({ type: 'cancelled' })
    } else if (racer.kind === 'sync') this.#judge(hook, racer.first, deadline)
    else this.#active.push({ hook, deadline })
    if (racer.kind !== 'sync') this.#working.add(hook)
  }
}

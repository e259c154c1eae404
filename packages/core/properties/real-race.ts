import { createEngine } from '../src/create-engine.ts'
import { defineKind } from '../src/define/define-kind.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import type {
  EndedRun,
  Engine,
  EngineEvent,
  Hook,
  HookError,
  HookRecord,
  Kind,
  Outcome,
  Point,
  Table,
} from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { type BlockableClock, createBlockableClock } from './blockable-clock.ts'
import type { Race, Said } from './race-model.ts'

/** Every hook of a race contributes its number. */
export const note: Kind<'note', number, false> = defineKind<number>()('note')

const points: Record<Race['flow'], Point> = {
  serial: definePoint('race.serial', {
    input: type<unknown>(),
    answers: ['reject', 'ask', 'transform'],
    contributes: [note],
  }),
  parallel: definePoint('race.parallel', {
    input: type<unknown>(),
    flow: 'parallel',
    answers: ['reject', 'ask'],
    contributes: [note],
  }),
}

const answers = new Map<Said, unknown>([
  ['proceed', { type: 'proceed' }],
  ['reject', { type: 'reject', reason: 'No.' }],
  ['ask', { type: 'ask', question: 'May it?' }],
  ['junk', { type: 'allow' }],
])

/** The race again, for real: hooks, a clock, a caller, and what was seen. */
export class RealRace {
  readonly race: Race
  readonly clock: BlockableClock = createBlockableClock()
  readonly records: HookRecord[] = []
  readonly events: EngineEvent[] = []
  readonly ends: (Outcome | HookError)[] = []
  readonly engine: Engine
  readonly #caller = new AbortController()
  readonly #settlers = new Map<number, (said: Said) => void>()
  readonly #otherTable: Table

  constructor(race: Race) {
    const { racers, flow, parallelism, dispatchMs } = race
    this.race = race
    const table = compileTable(racers.map((_, at) => this.#hook(at)))
    this.#otherTable = compileTable([
      { name: 'other', on: points[flow], run: () => neverAsked() },
    ])
    const { clock } = this
    const records = {
      end: ({ record }: EndedRun) => void this.records.push(record),
    }
    const ports = { clock, parallelism, dispatchMs, records }
    this.engine = createEngine(table, ports)
    this.engine.observe((event) => this.events.push(event))
  }

  async play(): Promise<void> {
    const { race, clock } = this
    const { signal } = this.#caller
    try {
      const given = this.engine.run(points[race.flow], null, { signal })
      if (given instanceof Promise) void given.then(this.#over, this.#over)
      else this.#over(given)
    } catch (error) {
      this.#over(error)
    }
    await clock.settle()
    for (const step of race.steps) {
      if ('passMs' in step) await clock.pass(step.passMs)
      else {
        for (const action of step.burst) {
          if (action.do === 'say') this.#say(action.hook, action.said)
          else if (action.do === 'block') clock.block(action.ms)
          else this.#act(action.do)
        }
        await clock.settle()
      }
    }
    await clock.pass(race.dispatchMs)
  }

  /** Lets every hook that still works come to an end. */
  async finish(): Promise<void> {
    for (const hook of [...this.#settlers.keys()]) this.#say(hook, 'proceed')
    await this.clock.settle()
  }

  readonly #over = (end: unknown): void => {
    this.ends.push(end as Outcome | HookError)
  }

  #act(act: 'nothing' | 'cancel' | 'swap'): void {
    if (act === 'cancel') this.#caller.abort()
    if (act === 'swap') this.engine.swap(this.#otherTable)
  }

  /** Some say it twice; then only the first time can count. */
  #say(hook: number, said: Said): void {
    const settle = this.#settlers.get(hook)
    settle?.(said)
    settle?.('reject')
    this.#settlers.delete(hook)
  }

  #hook(at: number): Hook {
    const { racers, flow } = this.race
    const racer = racers[at] as Race['racers'][number]
    const { kind, policy, layer, needs, timeoutMs } = racer
    const leaders = racers.flatMap((one, index) =>
      one.layer === layer - 1 ? [nameOf(index)] : [],
    )
    const run = (_: unknown, context: { contribute(one: object): void }) => {
      context.contribute(note(at))
      this.#act(racer.act)
      if (kind === 'sync') return giveOrThrow(at, racer.first)
      return kind === 'promise' ? this.#promise(at) : this.#thenable(at)
    }
    return {
      name: nameOf(at),
      on: points[flow],
      timeoutMs,
      onFailure: policy === 'fallback' ? { fallback: insteadOf(at) } : policy,
      [needs ? 'needs' : 'after']: leaders,
      capabilities: ['note'],
      writes: flow === 'serial',
      run: run as never,
    }
  }

  #promise(at: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#settlers.set(at, (said) => {
        if (said === 'throw') reject(new Error('thrown'))
        else resolve(giveOrThrow(at, said))
      })
    })
  }

  /** Calls back as often as it is told to. */
  #thenable(at: number): PromiseLike<unknown> {
    const then = (
      resolve: (answer: unknown) => void,
      reject: (cause: unknown) => void,
    ) => {
      this.#settlers.set(at, (said) => {
        if (said === 'throw') reject(new Error('thrown'))
        else resolve(giveOrThrow(at, said))
      })
    }
    return { then } as PromiseLike<unknown>
  }
}

function insteadOf(at: number) {
  return { contributions: [note(fallbackOf(at))] }
}

/** What a hook that fails and has a fallback contributes instead. */
export function fallbackOf(at: number): number {
  return -1 - at
}

export function nameOf(at: number): string {
  return `hook-${at}`
}

function neverAsked(): never {
  throw new Error('The other table is not for this dispatch.')
}

function giveOrThrow(at: number, said: Said): unknown {
  if (said === 'throw') throw new Error('thrown')
  if (said === 'transform') return { type: 'transform', value: at }
  return answers.get(said)
}

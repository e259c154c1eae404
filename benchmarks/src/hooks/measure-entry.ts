import {
  defineHooks,
  type HooksHost,
  type HooksSpec,
} from '@hookline/agent/define-hooks'
import {
  compileTable,
  createEngine,
  createMemoryState,
  type Hook,
  proceed,
  systemClock,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { median } from '../summary.ts'
import { type Moment, sampleTurn, shellTurn } from './sample-turn.ts'

/** What one point costs with the hooks of an entry. */
export interface PointCost {
  readonly entry: string
  readonly point: string
  /** Of one dispatch. */
  readonly us: number
  /** Of one dispatch with as many hooks that do nothing. */
  readonly emptyUs: number
}

export interface EntryRounds {
  readonly warmUp: number
  readonly counted: number
  readonly turns: number
}

const host: HooksHost = {
  name: 'measured',
  folder: process.cwd(),
  clock: systemClock,
  callModel: async () => ({
    content: [{ type: 'text', text: '{"type":"proceed"}' }],
    stopReason: 'end_turn',
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
  titleSession: async (_, title) => title,
  keepsTitles: () => true,
  priceOf: async () => ({ input: 3, output: 15 }),
  alarm() {},
}

/** Plays turns with the hooks of an entry, and with as many that do nothing. */
export async function measureEntry(
  // biome-ignore lint/suspicious/noExplicitAny: each has options of its own
  spec: HooksSpec<any>,
  options: object,
  { warmUp, counted, turns }: EntryRounds,
): Promise<readonly PointCost[]> {
  // Throws where the options do not fit.
  defineHooks(spec)(options)
  const hooks = spec.create(options, { ...host, name: spec.name })
  const idle = hooks.map(idleLike)
  const moments = readsCommands.has(spec.name) ? shellTurn : sampleTurn
  const taken = { own: new Map<string, number[]>(), idle: new Map() }
  for (let round = 0; round < warmUp + counted; round++) {
    const own = await playTurns(hooks, moments, turns)
    const empty = await playTurns(idle, moments, turns)
    if (round < warmUp) continue
    for (const [point, us] of own) push(taken.own, point, us)
    for (const [point, us] of empty) push(taken.idle, point, us)
  }
  return [...taken.own].map(([point, us]) => ({
    entry: spec.name,
    point,
    us: median(us),
    emptyUs: median(taken.idle.get(point) ?? []),
  }))
}

/** They would look at no other call. */
const readsCommands: ReadonlySet<string> = new Set(['shell-guard'])

/** The same declaration, and no work. */
function idleLike(hook: Hook): Hook {
  const isWaited =
    hook.execution !== 'record' && hook.execution !== 'background'
  return { ...hook, run: () => (isWaited ? proceed : undefined) }
}

function push(all: Map<string, number[]>, point: string, us: number): void {
  const list = all.get(point) ?? []
  list.push(us)
  all.set(point, list)
}

/** Microseconds of one dispatch, by point. What is observed is another row. */
async function playTurns(
  hooks: readonly Hook[],
  all: readonly Moment[],
  turns: number,
): Promise<ReadonlyMap<string, number>> {
  const table = compileTable(hooks)
  const memory = createMemoryState()
  const engine = createEngine(table)
  const moments = all.filter(({ point }) => table.plans.has(point.name))
  const totals = new Map<string, number>()
  const add = (name: string, ms: number) =>
    totals.set(name, (totals.get(name) ?? 0) + (ms * 1000) / turns)
  for (let turn = 0; turn < turns; turn++) {
    const turnId = `t${turn}`
    const ids = { session: 's', tree: 's', agent: 'bench' }
    const state = memory.at({ ...ids, turn: turnId })
    for (const { point, input } of moments) {
      const started = performance.now()
      const about = { scope: { ...scope, turnId }, state }
      await engine.run(point, input, about)
      add(point.name, performance.now() - started)
    }
    const started = performance.now()
    await engine.drain()
    if (hasObservers(hooks))
      add('(behind the turn)', performance.now() - started)
    memory.end('turn', turnId)
  }
  return totals
}

function hasObservers(hooks: readonly Hook[]): boolean {
  return hooks.some(({ execution }) => execution === 'record')
}

const scope: AgentScope = {
  agent: 'bench',
  origin: 'user',
  coreType: 'loop',
  sessionId: 's',
  turn: 1,
  step: 1,
  cwd: process.cwd(),
  actor: { kind: 'user', id: 'ann' },
}

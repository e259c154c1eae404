import type { Table } from 'hookline'
import { type AgentScope, turnPostTurn } from 'hookline/lifecycle'
import { passOn } from '../loop/ask.ts'
import { endIdOf } from '../loop/close-turn.ts'
import { stepLoop } from '../loop/step-loop.ts'
import type { Store } from '../store/open-store.ts'
import {
  listOwed,
  type OwedEnd,
  type OwedTurn,
  parentsOf,
  readOwed,
  takeOwed,
} from '../store/sessions/owed-turns.ts'
import type { RuntimeOptions } from './options.ts'
import type { Runtime } from './runtime.ts'
import { sessionIds } from './session-ids.ts'

export interface OwedParts {
  readonly store: Store
  readonly runtime: Pick<Runtime, 'agents' | 'engine' | 'tableFor' | 'alarm'>
  readonly collect: NonNullable<RuntimeOptions['collect']>
  /** Whether agents may still be on their way. */
  readonly isStarting: () => boolean
  readonly onError: (error: unknown) => void
}

/** Those of agents that are not here are left to whoever has them. */
const maxListed = 1_000

/**
 * Asks `turn.post_turn` about turns whose process died between their end and
 * that. At least once: whoever dies meanwhile leaves it to the next. Gives how
 * many it asked about.
 */
export async function settleOwed(
  parts: OwedParts,
  limit: number,
): Promise<number> {
  const { store } = parts
  const owed = await listOwed(store.parts, maxListed)
  let settled = 0
  for (const turn of owed) {
    if (settled === limit) break
    const table = await tableFor(parts, turn)
    if (table === undefined) continue
    settled++
    if (await takeOwed(store.parts, turn)) await settleOne(parts, turn, table)
  }
  return settled
}

/** Undefined if it is to be left to others, or for later. */
async function tableFor(
  { store, runtime, isStarting }: OwedParts,
  turn: OwedTurn,
): Promise<Table | undefined> {
  const { agent } = turn
  const parents = await parentsOf(store.parts, turn)
  const found = runtime.tableFor(parents ? { agent, parents } : { agent })
  // They are told once: those of agents that are on their way, with the others.
  if (found?.isWhole === false && isStarting()) return undefined
  return found?.table
}

async function settleOne(
  parts: OwedParts,
  turn: OwedTurn,
  table: Table,
): Promise<void> {
  const { store, onError } = parts
  const { sessionId, turnId } = turn
  try {
    const owed = await readOwed(store.parts, turn)
    if (owed !== undefined) await tellHooks(parts, owed, table)
  } catch (error) {
    // They were asked, or never can be: either way it is not tried again.
    onError(error)
  }
  store.state.end('turn', turnId)
  await store.sessions.settle(sessionId, turnId)
}

async function tellHooks(
  { store, runtime, collect }: OwedParts,
  { info, start, end }: OwedEnd,
  table: Table,
): Promise<void> {
  const { agent } = info
  const plan = table.plans.get(turnPostTurn.name)
  if (plan === undefined) return
  const scope = scopeOf(runtime, { info, start, end })
  const ids = sessionIds(info.id, info.parent?.sessions[0])
  const state = store.state.at({ agent, turn: start.turnId, ...ids })
  const { status, summary } = end
  const { promise, resolve } = Promise.withResolvers<void>()
  const id = endIdOf(start.turnId)
  const moment = { scope, state, table, id, observed: () => resolve() }
  const told = { status, summary }
  const outcome = await runtime.engine.run(turnPostTurn, told, moment)
  passOn({ collect, alarm: runtime.alarm }, outcome, scope)
  if (plan.observers.length > 0) await promise
}

function scopeOf(
  runtime: OwedParts['runtime'],
  { info, start }: OwedEnd,
): AgentScope {
  const { id: sessionId, agent, cwd, parent } = info
  const { turnId, turn, origin, actor } = start
  const config = runtime.agents.find(({ name }) => name === agent)
  return Object.freeze({
    agent,
    coreType: config?.core ?? stepLoop.type,
    origin,
    sessionId,
    turnId,
    turn,
    cwd,
    ...(actor && { actor }),
    ...(parent && { parents: parent.agents }),
  })
}

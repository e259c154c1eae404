import { type AgentScope, audit, job, turnPostTurn } from 'hookline/lifecycle'
import { endIdOf } from '../loop/close-turn.ts'
import { stepLoop } from '../loop/step-loop.ts'
import type { Store } from '../store/open-store.ts'
import {
  listOwed,
  type OwedEnd,
  type OwedTurn,
  readOwed,
  takeOwed,
} from '../store/sessions/owed-turns.ts'
import type { RuntimeOptions } from './options.ts'
import type { Runtime } from './runtime.ts'
import { sessionIds } from './session-ids.ts'

export interface OwedParts {
  readonly store: Store
  readonly runtime: Pick<Runtime, 'agents' | 'engine' | 'tableOf'>
  readonly collect: NonNullable<RuntimeOptions['collect']>
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
  const { store, runtime } = parts
  const owed = await listOwed(store.parts, maxListed)
  const names = new Set(runtime.agents.map(({ name }) => name))
  const ours = owed.filter(({ agent }) => names.has(agent)).slice(0, limit)
  for (const turn of ours) {
    if (await takeOwed(store.parts, turn)) await settleOne(parts, turn)
  }
  return ours.length
}

async function settleOne(parts: OwedParts, turn: OwedTurn): Promise<void> {
  const { store, onError } = parts
  const { sessionId, turnId } = turn
  try {
    const owed = await readOwed(store.parts, turn)
    if (owed !== undefined) await tellHooks(parts, owed)
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
): Promise<void> {
  const { agent } = info
  const table = runtime.tableOf(agent)
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
  for (const one of outcome.contributions.all) {
    if (one.kind === audit.kind || one.kind === job.kind) collect(one, scope)
  }
  if (plan.observers.length > 0) await promise
}

function scopeOf(
  runtime: OwedParts['runtime'],
  { info, start }: OwedEnd,
): AgentScope {
  const { id: sessionId, agent, cwd } = info
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
  })
}

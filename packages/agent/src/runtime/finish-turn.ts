import { event } from 'hookline/lifecycle'
import type { Turn } from '../loop/turn.ts'
import type { SessionHost } from './session-host.ts'

/** A turn has its result: does what is left to do, and forgets it. */
export function finishTurn(host: SessionHost, turn: Turn): void {
  const { afterwards } = turn.progress
  if (afterwards === undefined) forget(host, turn)
  else host.track(finish(host, turn, afterwards), turn.session.id)
}

/** Hooks that come after a turn come after whoever waits for it. */
async function finish(
  host: SessionHost,
  turn: Turn,
  afterwards: NonNullable<Turn['progress']['afterwards']>,
): Promise<void> {
  await Promise.resolve()
  const { promise: observed, resolve } = Promise.withResolvers<void>()
  let isObserved = false
  try {
    isObserved = await afterwards(resolve)
  } finally {
    forget(host, turn)
    // Until then the next process would have to tell them.
    if (isObserved) await observed
    await host.parts.store?.settle?.(turn.session.id, turn.id)
  }
}

function forget(
  { turns, endState, flushEvents }: SessionHost,
  { id, agent }: Turn,
): void {
  turns.delete(id)
  endState('turn', id)
  if (agent.table.plans.has(event.name)) flushEvents(id)
}

import { type SessionEndReason, sessionEnd } from 'hookline/lifecycle'
import { askOutside } from './ask-outside.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import { scopeOf } from './scope-of.ts'
import type { SessionHost } from './session-host.ts'

/** Tells hooks that a session is over for good, and forgets its state. */
export async function endSession(
  { parts, stateAt, endState }: SessionHost,
  agent: RegisteredAgent,
  { id, cwd }: { readonly id: string; readonly cwd: string },
  reason: SessionEndReason,
): Promise<void> {
  const scope = scopeOf(agent, { sessionId: id, cwd })
  const state = stateAt({ session: id, agent: agent.name })
  const moment = { scope, state, table: agent.table }
  try {
    const asked = askOutside(parts, sessionEnd, { reason }, moment)
    if (asked instanceof Promise) await asked
    const { store } = parts
    if (reason === 'deleted') await store?.delete(id)
    else await store?.append(id, [{ type: 'session-end', reason }])
  } finally {
    endState('session', id)
  }
}

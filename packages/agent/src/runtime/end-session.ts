import { type SessionEndReason, sessionEnd } from 'hookline/lifecycle'
import { askOutside } from './ask-outside.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionHost } from './session-host.ts'

/** Tells hooks that a session is over for good, and forgets its state. */
export async function endSession(
  { parts, stateAt, endState }: SessionHost,
  { name, core, table, parents }: RegisteredAgent,
  { id, cwd }: { readonly id: string; readonly cwd: string },
  reason: SessionEndReason,
): Promise<void> {
  const scope = {
    agent: name,
    origin: parents.length > 0 ? ('subagent' as const) : ('user' as const),
    coreType: core.type,
    sessionId: id,
    cwd,
    ...(parents.length > 0 && { parents }),
  }
  const state = stateAt({ session: id, agent: name })
  try {
    const asked = askOutside(parts, sessionEnd, { reason }, scope, state, table)
    if (asked instanceof Promise) await asked
    const { store } = parts
    if (reason === 'deleted') await store?.delete(id)
    else await store?.append(id, [{ type: 'session-end', reason }])
  } finally {
    endState('session', id)
  }
}

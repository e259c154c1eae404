import { type SessionEndReason, sessionEnd } from 'hookline/lifecycle'
import { askOutside } from './ask-outside.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionHost } from './session-host.ts'

/** Tells hooks that a session is over for good, and forgets its state. */
export async function endSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { id, cwd }: { readonly id: string; readonly cwd: string },
  reason: SessionEndReason,
): Promise<void> {
  const place = { sessionId: id, cwd }
  try {
    const asked = askOutside(host, agent, sessionEnd, { reason }, place)
    if (asked instanceof Promise) await asked
    const { store } = host.parts
    if (reason === 'deleted') await store?.delete(id)
    else await store?.append(id, [{ type: 'session-end', reason }])
  } finally {
    host.endState('session', id)
  }
}

import { AgentError, type Session } from '@hookline/agent'
import { readStoredSession, type Store } from '@hookline/agent/durable'

/**
 * What worked for another agent had no more rights than that one, and nobody
 * waits for it any more: it does not go on by itself. Throws for such a session.
 */
export async function refuseChild(
  { parts }: Store,
  session: Session,
): Promise<void> {
  if (session.interrupted === undefined) return
  const stored = await readStoredSession(parts, session.id)
  if (stored?.openTurn?.start.origin !== 'subagent') return
  await session.close()
  const message = `Session "${session.id}" worked for another agent, which has gone on without it.`
  throw new AgentError('session-ended', message)
}

import type { HostParts } from './host-parts.ts'

/** Tells that a session was deleted, and forgets what was told in it since. */
export async function endDeleted(
  { store, pump, tell, noteError }: HostParts,
  sessionId: string,
): Promise<void> {
  // Under no session: the log keeps nothing of one that is deleted.
  tell('session-deleted', { sessionId })
  try {
    await pump.flush()
    await store.sessions.forget(sessionId)
  } catch (error) {
    noteError('session-forget', error)
  }
}

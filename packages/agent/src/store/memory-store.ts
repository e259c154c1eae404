import { AgentError } from '../ports/agent-error.ts'
import type { SessionStore } from '../ports/store.ts'
import {
  applyEntry,
  createSessionState,
  type SessionState,
  storedSession,
} from './apply-entry.ts'
import { checkSessionId } from './check-session-id.ts'

/** Keeps sessions as long as the process lives. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, SessionState>()
  return {
    load(sessionId) {
      const state = sessions.get(sessionId)
      return state && storedSession(state)
    },
    create(info) {
      checkSessionId(info.id)
      if (sessions.has(info.id)) {
        const message = `There is a session "${info.id}" already.`
        throw new AgentError('session-exists', message)
      }
      sessions.set(info.id, createSessionState(info))
    },
    append(sessionId, entries) {
      const state = sessions.get(sessionId)
      if (state === undefined) {
        const message = `There is no session "${sessionId}".`
        throw new AgentError('unknown-session', message)
      }
      for (const entry of entries) applyEntry(state, entry)
    },
    delete: (sessionId) => void sessions.delete(sessionId),
  }
}

import { AgentError } from '../ports/agent-error.ts'
import type { SessionStore } from '../ports/store.ts'
import {
  applyEntry,
  createSessionState,
  type SessionState,
  storedSession,
} from './apply-entry.ts'
import { checkSessionId } from './check-session-id.ts'
import { shownTitle, titleOf } from './sessions/session-title.ts'

/** What is only in memory is shown to nobody who could not see it anyway. */
const asItIs = { data: (value: unknown) => value }

/** Keeps sessions as long as the process lives. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, SessionState>()
  const titles = new Map<string, string>()
  const stateOf = (sessionId: string) => {
    const state = sessions.get(sessionId)
    if (state !== undefined) return state
    const message = `There is no session "${sessionId}".`
    throw new AgentError('unknown-session', message)
  }
  const keepTitle = (sessionId: string, title: string | null) => {
    if (title !== null) titles.set(sessionId, title)
    return title
  }
  return {
    load(sessionId) {
      const state = sessions.get(sessionId)
      return state && storedSession(state, titles.get(sessionId) ?? null)
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
      const state = stateOf(sessionId)
      for (const entry of entries) applyEntry(state, entry)
      if (titles.has(sessionId)) return
      keepTitle(sessionId, titleOf(entries, 'full', asItIs))
    },
    title(sessionId, title) {
      stateOf(sessionId)
      return keepTitle(sessionId, shownTitle(title, asItIs))
    },
    delete(sessionId) {
      sessions.delete(sessionId)
      titles.delete(sessionId)
    },
  }
}

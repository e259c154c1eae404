import { AgentError } from '../ports/agent-error.ts'
import type { JournalEntry, SessionStore } from '../ports/store.ts'
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
  const sessions = new Map<string, KeptSession>()
  const keptAs = (sessionId: string) => {
    const kept = sessions.get(sessionId)
    if (kept !== undefined) return kept
    const message = `There is no session "${sessionId}".`
    throw new AgentError('unknown-session', message)
  }
  return {
    load(sessionId) {
      const kept = sessions.get(sessionId)
      return kept && storedSession(kept.state, titleNow(kept))
    },
    create(info) {
      checkSessionId(info.id)
      if (sessions.has(info.id)) {
        const message = `There is a session "${info.id}" already.`
        throw new AgentError('session-exists', message)
      }
      const state = createSessionState(info)
      sessions.set(info.id, { state, title: null, untitled: undefined })
    },
    append(sessionId, entries) {
      const kept = keptAs(sessionId)
      for (const entry of entries) {
        applyEntry(kept.state, entry)
        if (entry.type !== 'turn-start') continue
        if (titleNow(kept) === null) kept.untitled = entry
      }
    },
    title(sessionId, given) {
      const kept = keptAs(sessionId)
      const title = shownTitle(given, asItIs)
      kept.title = title ?? titleNow(kept)
      return title
    },
    delete(sessionId) {
      sessions.delete(sessionId)
    },
  }
}

interface KeptSession {
  readonly state: SessionState
  title: string | null
  /** The first words, until somebody asks what they make for a title. */
  untitled: JournalEntry | undefined
}

function titleNow(kept: KeptSession): string | null {
  const { title, untitled } = kept
  if (title !== null || untitled === undefined) return title
  kept.untitled = undefined
  kept.title = titleOf([untitled], 'full', asItIs)
  return kept.title
}

import type { JournalEntry, SessionStore } from '../ports/store.ts'
import type { Store } from '../store/open-store.ts'

/**
 * The sessions of a store, so that nothing acts before all that led to it is
 * kept: who judged a call is on the disk before the call runs.
 */
export function durableSessions(store: Store): SessionStore {
  const { sessions, records, audit } = store
  return {
    load: (id) => sessions.load(id),
    create: (info) => sessions.create(info),
    async append(sessionId, entries) {
      if (entries.some(isAction)) await records.flush()
      await sessions.append(sessionId, entries)
      for (const entry of entries) {
        const about = auditOf(entry)
        if (about) audit.record({ ...about, sessionId })
      }
    },
    release: (id) => sessions.release(id),
    async delete(sessionId) {
      await sessions.delete(sessionId)
      audit.record({ kind: 'session.deleted', sessionId })
    },
  }
}

function isAction({ type }: JournalEntry): boolean {
  return type === 'call-seal'
}

/** What is remembered of a call for good: that it ran, by whose leave. */
function auditOf(entry: JournalEntry) {
  if (entry.type === 'call-seal') {
    const { call, approvedBy = null, isUngated, turnId } = entry
    const { tool, owner, safety, seal, id: callId } = call
    const body = { turnId, callId, tool, owner, safety, seal, isUngated }
    return { kind: 'call.sealed', body: { ...body, approvedBy } }
  }
  if (entry.type !== 'call-end' || entry.ended.status === 'executed') {
    return undefined
  }
  const { call, status } = entry.ended
  const body = {
    turnId: entry.turnId,
    callId: call.id,
    tool: call.tool,
    status,
  }
  return { kind: 'call.ended', body }
}

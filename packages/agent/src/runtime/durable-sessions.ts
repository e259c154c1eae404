import type { JournalEntry, SessionStore } from '../ports/store.ts'
import type { Store } from '../store/open-store.ts'

/**
 * The sessions of a store, so that nothing acts before all that led to it is
 * kept: who judged a call is on the disk before the call runs.
 */
export function durableSessions(
  store: Store,
  /** Settles when the jobs that hooks wanted are queued. */
  jobsQueued: () => Promise<void> = async () => {},
): SessionStore {
  const { sessions, records, audit } = store
  const append = inOrder(store)
  return {
    load: (id) => sessions.load(id),
    create: (info) => sessions.create(info),
    async append(sessionId, entries) {
      await append(sessionId, entries)
      for (const entry of entries) {
        const about = auditOf(entry)
        if (about) audit.record({ ...about, sessionId })
      }
    },
    release: (id) => sessions.release(id),
    ...(sessions.keepsTitles && {
      title: (id: string, title: string) => sessions.title(id, title),
    }),
    children: (id) => sessions.children(id),
    settle: (id, turnId) => sessions.settle(id, turnId),
    async delete(sessionId) {
      await sessions.delete(sessionId)
      audit.record({ kind: 'session.deleted', sessionId })
    },
    async forget(sessionId) {
      await jobsQueued()
      await records.written()
      await sessions.forget(sessionId)
    },
  }
}

/** Writes in the order of the calls, also where one has to wait for records. */
function inOrder({ sessions, records }: Store): SessionStore['append'] {
  /** By session: the last that was not begun when it was asked for. */
  const late = new Map<string, Promise<unknown>>()
  return async (sessionId, entries) => {
    const before = late.get(sessionId)
    const isHeld = entries.some(isAction)
    if (before === undefined && !isHeld) {
      return await sessions.append(sessionId, entries)
    }
    const begin = async () => {
      const kept = isHeld ? records.flush() : undefined
      // Whoever waits for it hears of it if it fails.
      kept?.catch(() => {})
      await before?.catch(() => {})
      await kept
      // Not the promise itself: the next one waits until this has begun.
      return { written: sessions.append(sessionId, entries) }
    }
    const begun = begin()
    late.set(sessionId, begun)
    try {
      await (await begun).written
    } finally {
      if (late.get(sessionId) === begun) late.delete(sessionId)
    }
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

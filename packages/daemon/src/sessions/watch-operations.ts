import type { CallContext } from '../protocol/caller.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { SessionService } from '../service/service-parts.ts'
import { type CallerCounts, nameOf } from './caller-counts.ts'
import type { StreamFilter } from './event-hub.ts'
import type { StreamStart } from './event-stream.ts'
import type { HostParts } from './host-parts.ts'
import type { Presence } from './presence.ts'

export interface WatchDesk {
  readonly parts: HostParts
  readonly counts: CallerCounts
  readonly presence: Presence
}

export function watchOperations(
  desk: WatchDesk,
): Pick<SessionService, 'watchSession' | 'watchAll' | 'attend'> {
  return {
    watchSession({ sessionId, ...start }, context) {
      const filter = { sessionId, isWhole: isWhole(context) }
      return open(desk, filter, start, context)
    },
    watchAll(start, context) {
      const filter = { isWhole: isWhole(context) }
      return open(desk, filter, start, context)
    },
    attend({ sessionId, place, isLeaving = false }, { caller }) {
      const { counts, presence } = desk
      const key = JSON.stringify([sessionId, nameOf(caller), place])
      if (isLeaving) presence.unattend(key)
      else {
        // It stands for a stream, and counts as one.
        const take = () => counts.take('streams', caller)
        presence.attend(key, { sessionId, take })
      }
      return { ok: true }
    },
  }
}

/** Ends when whoever reads has gone, or the daemon stops. */
async function open(
  { parts, counts, presence }: WatchDesk,
  filter: StreamFilter,
  start: StreamStart,
  { caller, signal }: CallContext,
): Promise<AsyncIterableIterator<StreamItem>> {
  const { sessionId } = filter
  const release = counts.take('streams', caller)
  let leave = () => {}
  try {
    const stream = await parts.hub.open(filter, start, () => {
      signal.removeEventListener('abort', end)
      leave()
      release()
    })
    const end = () => stream.end()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    else if (
      sessionId !== undefined &&
      start.untilNow !== true &&
      caller.rights.has('run')
    ) {
      leave = presence.enter(sessionId)
    }
    return stream
  } catch (error) {
    release()
    throw error
  }
}

function isWhole({ caller }: CallContext): boolean {
  return caller.rights.has('admin')
}

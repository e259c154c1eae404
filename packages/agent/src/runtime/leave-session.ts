import type { MaybePromise } from 'hookline'
import type { EventBus } from '../events/event-bus.ts'
import type { Suspension } from '../ports/approvals.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStart } from './session-start.ts'
import type { WorkQueue } from './work-queue.ts'

interface LeftSession {
  readonly begun: Pick<SessionStart, 'id' | 'works'>
  readonly queue: WorkQueue
  readonly bus: EventBus
}

/** What its turns are told. */
export type Why = string | Suspension

/** Ends it, or gives it up, when nothing runs in it any more. */
export type Leave = () => MaybePromise<void> | undefined

/** Until it is left, whatever that takes, nobody here can open it again. */
export async function leaveSession(
  host: SessionHost,
  { begun, queue, bus }: LeftSession,
  leave: Leave,
): Promise<void> {
  try {
    // What is there at once is not waited for: many sessions have one turn.
    const idle = queue.idle()
    if (idle instanceof Promise) await idle
    bus.end()
    void begun.works?.release()
    const left = leave()
    if (left instanceof Promise) await left
  } finally {
    host.forget(begun.id)
  }
}

import { randomUUID } from 'node:crypto'
import type { Client } from '../../protocol/client.ts'

/** A daemon that hangs keeps nobody from leaving. */
const leaveMs = 1_000

/** Somebody who can be asked in a session. */
export interface Presence {
  /** They are there from now on, however late their stream opens. */
  arrive(): Promise<void>
  leave(): Promise<void>
}

export function createPresence(client: Client, sessionId: string): Presence {
  const here = { sessionId, place: `terminal ${randomUUID()}` }
  return {
    async arrive() {
      await client.attend(here)
    },
    async leave() {
      const signal = AbortSignal.timeout(leaveMs)
      const left = client.attend({ ...here, isLeaving: true }, { signal })
      // Whoever cannot say that they leave is forgotten after a while.
      await left.catch(() => {})
    },
  }
}

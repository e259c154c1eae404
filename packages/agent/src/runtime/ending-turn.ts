import { EventBus } from '../events/event-bus.ts'
import type { Turn } from '../loop/turn.ts'
import { finishTurn } from './finish-turn.ts'
import { nothingSent, type Sent } from './sent.ts'
import type { SessionHost } from './session-host.ts'

/**
 * While hooks are told of a session's end, they can ask a model about it: on
 * behalf of a moment that is part of no turn, with the limits of one for all
 * they ask. Call the result when they have been told.
 */
export function openEnding(
  host: SessionHost,
  sessionId: string,
  turnFor: (sent: Sent) => Turn,
): () => void {
  const { endings, parts } = host
  let turn: Turn | undefined
  endings.set(sessionId, () => {
    turn ??= turnFor(nothingSent(parts.nextId(), new EventBus(host.bus)))
    return turn
  })
  return () => {
    endings.delete(sessionId)
    if (turn === undefined) return
    turn.signal.abort('The session has ended.')
    finishTurn(host, turn)
    turn = undefined
  }
}

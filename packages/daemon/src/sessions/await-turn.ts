import { getTurn } from '@hookline/agent/durable'
import type { Timer } from 'hookline'
import { ProtocolError } from '../protocol/errors.ts'
import { readNotice } from '../protocol/notices.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import type { HostParts } from './host-parts.ts'
import { lastOutcome, outcomeOfEvent } from './turn-outcome.ts'

export interface AwaitedTurn {
  readonly sessionId: string
  readonly inputId: string
  /** Where the log stood before the input was given. */
  readonly after: string
  readonly signal: AbortSignal
}

/** How often the journal is looked at, should the log not tell. */
const lookMs = 2_000

/** Settles when the turn of an input has ended, whichever daemon runs it. */
export async function awaitTurn(
  parts: HostParts,
  awaited: AwaitedTurn,
): Promise<TurnOutcome> {
  const { sessionId, inputId, after, signal } = awaited
  const filter = { sessionId, isWhole: true }
  const stream = await parts.hub.open(filter, { after })
  const stop = () => stream.end()
  signal.addEventListener('abort', stop)
  const look = () => lastOutcome(parts, sessionId, inputId)
  let found: TurnOutcome | undefined
  const lookLater = (): Timer =>
    parts.clock.after(lookMs, () => {
      timer = lookLater()
      look().then(
        (outcome) => {
          found ??= outcome
          if (found !== undefined) stream.end()
        },
        (error: unknown) => parts.noteError('turn-look', error),
      )
    })
  let timer = lookLater()
  try {
    if (signal.aborted) stream.end()
    // It may have ended before anybody looked.
    found = await look()
    if (found !== undefined) return found
    for await (const item of stream) {
      found ??= await outcomeIn(parts, item, awaited)
      if (found !== undefined) return found
    }
    found ??= await look()
    if (found !== undefined) return found
    throw new ProtocolError(
      'shutting-down',
      'The daemon stopped waiting before the turn had ended; ask again with the same key.',
    )
  } finally {
    timer.stop()
    signal.removeEventListener('abort', stop)
    stream.end()
  }
}

async function outcomeIn(
  parts: HostParts,
  item: StreamItem,
  { sessionId, inputId }: AwaitedTurn,
): Promise<TurnOutcome | undefined> {
  const dropped = readNotice(item, 'input-dropped')
  if (dropped?.inputId === inputId) {
    const { reason } = dropped
    const why = reason === undefined ? {} : { reason }
    return { sessionId, status: 'cancelled', ...why }
  }
  if (item.type !== 'event' || item.event.type !== 'turn-end') return undefined
  const { event } = item
  if (event.sessionId !== sessionId) return undefined
  const turn = await getTurn(parts.store.parts, sessionId, event.turnId)
  if (turn?.inputId !== inputId) return undefined
  return await outcomeOfEvent(parts, event)
}

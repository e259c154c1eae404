import type { AgentEvent, TurnStatus } from 'hookline/lifecycle'
import type { Client } from '../../protocol/client.ts'
import { readNotice } from '../../protocol/notices.ts'
import type { StreamItem } from '../../protocol/schemas/events.ts'
import { turnStatuses } from '../../protocol/turn-statuses.ts'
import { whyEnded } from '../../protocol/words/end-words.ts'

/** How a turn ended, as far as those who follow it can tell. */
export interface TurnEnd {
  readonly turnId: string
  readonly status: TurnStatus
  readonly reason?: string
}

export interface FollowOptions {
  readonly client: Client
  readonly sessionId: string
  /** Everything of the session, from before the turn began. */
  readonly items: AsyncIterable<StreamItem>
  /** Absent: the one with that key, or the one that begins next. */
  readonly turnId?: string | undefined
  /** Of what was said: others may have a turn of theirs before it. */
  readonly key?: string | undefined
  /** Told of what happens in the turn, and of nothing before it. */
  readonly onItem: (item: StreamItem) => void
}

/** Tells what happens until a turn has ended; undefined: the stream ended. */
export async function followTurn({
  client,
  sessionId,
  items,
  turnId,
  key,
  onItem,
}: FollowOptions): Promise<TurnEnd | undefined> {
  let followed = turnId
  /** Of a turn of which nobody knows whose it is. */
  let held: StreamItem[] = []
  for await (const item of items) {
    if (followed !== undefined || key === undefined) onItem(item)
    else {
      const dropped = dropOf(item, key)
      if (dropped !== undefined) return dropped
      if (tells(item, sessionId, 'turn-start')) held = []
      held.push(item)
      if (!tellsWhose(item, sessionId)) continue
      followed = await findTurn(client, { sessionId, key })
      const own = held
      held = []
      if (followed === undefined) continue
      // It may begin later, with what comes then.
      const isOwn = own.some((one) => isOfTurn(one, followed))
      if (isOwn || item.type !== 'event') for (const one of own) onItem(one)
    }
    if (item.type === 'event') {
      const { event } = item
      // Others may work for it meanwhile.
      if (event.sessionId !== sessionId) continue
      if (event.type === 'turn-start') followed ??= event.turnId
      if (event.type === 'turn-end' && isOf(event, followed)) {
        return endOf(event)
      }
    } else if (item.type !== 'notice' && followed !== undefined) {
      // Its end may be among what was left out.
      const end = await findEnd(client, { sessionId, turnId: followed })
      if (end !== undefined) return end
    }
  }
  return undefined
}

/** The journal has its turn by then. */
function tellsWhose(item: StreamItem, sessionId: string): boolean {
  // What was left out may have told it.
  if (item.type === 'reset' || item.type === 'lagged') return true
  return (
    tells(item, sessionId, 'turn-input') || tells(item, sessionId, 'turn-end')
  )
}

function isOfTurn(item: StreamItem, turnId: string | undefined): boolean {
  return item.type === 'event' && item.event.turnId === turnId
}

function tells(
  item: StreamItem,
  sessionId: string,
  type: AgentEvent['type'],
): boolean {
  if (item.type !== 'event') return false
  return item.event.type === type && item.event.sessionId === sessionId
}

async function findTurn(
  client: Client,
  { sessionId, key }: { readonly sessionId: string; readonly key: string },
): Promise<string | undefined> {
  // The newest come first, and it is among them.
  const { items } = await client.listTurns({ sessionId, limit: 100 })
  return items.find(({ inputId }) => inputId === key)?.id
}

/** That it will never begin, if that is what is told. */
function dropOf(item: StreamItem, key: string): TurnEnd | undefined {
  const dropped = readNotice(item, 'input-dropped')
  if (dropped?.inputId !== key) return undefined
  const { reason } = dropped
  const why = reason === undefined ? {} : { reason }
  return { turnId: '', status: 'cancelled', ...why }
}

function isOf(event: AgentEvent, turnId: string | undefined): boolean {
  return turnId === undefined || event.turnId === turnId
}

function endOf(event: Extract<AgentEvent, { type: 'turn-end' }>): TurnEnd {
  const { turnId, status } = event
  const reason = whyEnded(event)
  return { turnId, status, ...(reason !== undefined && { reason }) }
}

async function findEnd(
  client: Client,
  { sessionId, turnId }: { sessionId: string; turnId: string },
): Promise<TurnEnd | undefined> {
  const { items } = await client.listTurns({ sessionId, limit: 1_000 })
  const turn = items.find(({ id }) => id === turnId)
  if (turn === undefined || !isStatus(turn.status)) return undefined
  const { status, error } = turn
  return { turnId, status, ...(error !== null && { reason: error }) }
}

function isStatus(status: string): status is TurnStatus {
  return turnStatuses.some((one) => one === status)
}

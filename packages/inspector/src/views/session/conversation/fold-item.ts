import {
  type AgentEvent,
  type EventOf,
  type StreamItem,
  whyEnded,
} from '../../../data/protocol.ts'
import type { Conversation, Entry, Turn } from './conversation.ts'
import { foldCall, isCallEvent } from './fold-call.ts'
import { foldNotice, type Notice, turnOfNotice } from './fold-notice.ts'
import { noteOf } from './note-of.ts'

/** What is older is left to the records. */
const maxTurns = 100
/** Of one turn: the first ones go. */
const maxEntries = 2_000
/** Of one block of text. */
const maxText = 2_000_000

/** What a session is after one more thing has happened. */
export function foldItem(before: Conversation, item: StreamItem): Conversation {
  if (item.type === 'reset') return { turns: [], isCut: true }
  if (item.type === 'notice') return foldTold(before, item)
  if (item.type !== 'event') return before
  const { event, at } = item
  const turns =
    event.type === 'turn-start' && event.path.length === 1
      ? startTurn(before.turns, event, at)
      : before.turns
  // What a sub-agent does has a turn of its own, within the newest one.
  const index =
    event.path.length > 1
      ? turns.length - 1
      : turns.findLastIndex(({ id }) => id === event.turnId)
  const turn = turns[index]
  // Its beginning is gone from the log, so that it cannot be told.
  if (turn === undefined) return { ...before, isCut: true }
  const next = foldTurn(turn, event, at)
  if (next === turn && turns === before.turns) return before
  const kept = turns.with(index, next).slice(-maxTurns)
  return { turns: kept, isCut: before.isCut || kept.length < turns.length }
}

/** Notices tell what no event could. */
function foldTold(before: Conversation, notice: Notice): Conversation {
  const turnId = turnOfNotice(notice)
  const index = before.turns.findLastIndex(({ id }) => id === turnId)
  const turn = before.turns[index]
  if (turn === undefined) return before
  const entries = foldNotice(turn.entries, notice)
  if (entries === turn.entries) return before
  const next = { ...turn, entries: entries.slice(-maxEntries) }
  return { ...before, turns: before.turns.with(index, next) }
}

function startTurn(
  turns: readonly Turn[],
  event: EventOf<'turn-start'>,
  at: number,
): readonly Turn[] {
  // A turn that goes on elsewhere starts once more.
  if (turns.some(({ id }) => id === event.turnId)) return turns
  const turn: Turn = {
    id: event.turnId,
    number: event.turn,
    startedAt: at,
    status: 'running',
    entries: [],
    tokens: 0,
  }
  return [...turns, turn]
}

function foldTurn(turn: Turn, event: AgentEvent, at: number): Turn {
  if (event.type === 'turn-end') {
    if (event.path.length > 1) return turn
    const { status } = event
    const reason = whyEnded(event)
    const entries = turn.entries.map(close)
    return { ...turn, status, reason, endedAt: at, entries }
  }
  if (event.type === 'usage-delta') {
    const { inputTokens, outputTokens } = event.usage
    return { ...turn, tokens: turn.tokens + inputTokens + outputTokens }
  }
  const entries = foldEntries(turn.entries, event)
  if (entries === turn.entries) return turn
  return { ...turn, entries: entries.slice(-maxEntries) }
}

/** Nothing of a turn goes on when it is over. */
function close(entry: Entry): Entry {
  if (entry.type === 'text' && entry.isOpen) return { ...entry, isOpen: false }
  const isOpen =
    entry.type === 'call' &&
    (entry.state === 'asked' || entry.state === 'running')
  return isOpen ? { ...entry, state: 'cancelled' } : entry
}

function foldEntries(
  entries: readonly Entry[],
  event: AgentEvent,
): readonly Entry[] {
  if (event.type === 'turn-input') return addSaid(entries, event)
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
    return addText(entries, event)
  }
  if (event.type === 'text-end' || event.type === 'reasoning-end') {
    const key = textKey(event)
    return entries.map((one) =>
      one.type === 'text' && one.key === key ? { ...one, isOpen: false } : one,
    )
  }
  if (isCallEvent(event)) return foldCall(entries, event)
  const note = noteOf(event)
  if (note === undefined) return entries
  const at = entries.findLastIndex(
    (one) =>
      one.type === 'call' &&
      'id' in event &&
      one.callId === event.id &&
      one.turnId === event.turnId,
  )
  const call = entries[at]
  if (call?.type !== 'call') return [...entries, note]
  return entries.with(at, { ...call, edits: [...call.edits, note] })
}

function addSaid(
  entries: readonly Entry[],
  { path, seq, content, isSteering }: EventOf<'turn-input'>,
): readonly Entry[] {
  // What a sub-agent is asked is told by its start.
  if (path.length > 1) return entries
  const text = content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')
  const key = `said-${seq}`
  return [...entries, { type: 'said', key, within: [], text, isSteering }]
}

interface TextPlace {
  readonly path: readonly string[]
  readonly turnId: string
  readonly id: string
}

function textKey({ path, turnId, id }: TextPlace): string {
  return `text-${path.join('/')}-${turnId}-${id}`
}

function addText(
  entries: readonly Entry[],
  event: EventOf<'text-delta' | 'reasoning-delta'>,
): readonly Entry[] {
  const key = textKey(event)
  const at = entries.findLastIndex((one) => one.key === key)
  const found = entries[at]
  if (found?.type === 'text') {
    const text = (found.text + event.text).slice(0, maxText)
    const isCut = found.text.length + event.text.length > maxText
    return entries.with(at, { ...found, text, ...(isCut && { isCut }) })
  }
  const kind = event.type === 'text-delta' ? 'text' : 'reasoning'
  const within = event.path.slice(1)
  const { text } = event
  return [...entries, { type: 'text', key, within, kind, text, isOpen: true }]
}

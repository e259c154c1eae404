import type { StreamItem } from '../../../data/protocol.ts'
import type { CallEntry, Entry, NoteEntry } from './conversation.ts'

export type Notice = Extract<StreamItem, { readonly type: 'notice' }>

/** The turn that a notice is about; undefined: it is about none. */
export function turnOfNotice({ data }: Notice): string | undefined {
  return textOf(data, 'turnId')
}

/**
 * What is told without its event: an event may be too large to be kept, and
 * then only a notice says that it was there.
 */
export function foldNotice(
  entries: readonly Entry[],
  notice: Notice,
): readonly Entry[] {
  const { name, data, cursor } = notice
  const callId = textOf(data, 'callId')
  const tool = textOf(data, 'tool')
  const key = `notice-${cursor}`
  if (name === 'approval-asked') {
    const id = textOf(data, 'approvalId')
    if (id === undefined || callId === undefined) return entries
    const call = findCall(entries, callId)
    // Its event has told it, or it was answered meanwhile.
    if (call?.question !== undefined) return entries
    const asked = call ?? newCall(key, notice, callId, tool)
    return put(entries, { ...asked, state: 'asked', question: { id } })
  }
  if (name !== 'event-too-large') return entries
  const note = tooLarge(key, data)
  if (callId === undefined) return [...entries, note]
  const call = findCall(entries, callId) ?? newCall(key, notice, callId, tool)
  const edits = [...call.edits, note]
  const isEnd = textOf(data, 'type') === 'tool-end'
  return put(entries, {
    ...call,
    edits,
    ...(isEnd && {
      state: endOf(textOf(data, 'status')),
      hasLargeResult: true,
    }),
  })
}

const ends = [
  'executed',
  'synthesized',
  'denied',
  'cancelled',
  'unknown_outcome',
] as const

function endOf(status: string | undefined): CallEntry['state'] {
  return ends.find((one) => one === status) ?? 'unknown_outcome'
}

function tooLarge(key: string, data: Notice['data']): NoteEntry {
  const chars = Number(Object(data)['chars'] ?? 0).toLocaleString('en')
  const what = things[textOf(data, 'type') ?? ''] ?? 'something'
  const title = `${what} of ${chars} characters, which is too much for the log of events`
  return { type: 'note', key, within: [], kind: 'gap', title }
}

const things: Readonly<Record<string, string>> = {
  'permission-start': 'arguments',
  'tool-start': 'arguments',
  'tool-end': 'a result',
  'turn-input': 'words',
}

function findCall(
  entries: readonly Entry[],
  callId: string,
): CallEntry | undefined {
  const found = entries.findLast(
    (one) => one.type === 'call' && one.callId === callId,
  )
  return found?.type === 'call' ? found : undefined
}

function newCall(
  key: string,
  { data }: Notice,
  callId: string,
  tool = '',
): CallEntry {
  const none = { args: {}, progress: '', edits: [], within: [] }
  const sessionId = textOf(data, 'sessionId') ?? ''
  const turnId = textOf(data, 'turnId') ?? ''
  const place = { key, sessionId, turnId, callId }
  return { type: 'call', ...place, tool, state: 'running', ...none }
}

function put(entries: readonly Entry[], call: CallEntry): readonly Entry[] {
  const at = entries.findIndex(({ key }) => key === call.key)
  return at < 0 ? [...entries, call] : entries.with(at, call)
}

function textOf(data: unknown, key: string): string | undefined {
  const value: unknown = Object(data)[key]
  return typeof value === 'string' ? value : undefined
}

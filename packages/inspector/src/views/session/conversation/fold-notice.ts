import { readNotice, type StreamItem } from '../../../data/protocol.ts'
import type { CallEntry, Entry, NoteEntry } from './conversation.ts'

export type Notice = Extract<StreamItem, { readonly type: 'notice' }>

/** The turn that is told of by a notice; undefined: by this one, none is. */
export function turnOfNotice(notice: Notice): string | undefined {
  const told =
    readNotice(notice, 'approval-asked') ??
    readNotice(notice, 'event-too-large')
  return told?.turnId
}

/**
 * What is told without its event: an event may be too large to be kept, and
 * then only a notice says that it was there.
 */
export function foldNotice(
  entries: readonly Entry[],
  notice: Notice,
): readonly Entry[] {
  const key = `notice-${notice.cursor}`
  const question = readNotice(notice, 'approval-asked')
  if (question !== undefined) {
    const { approvalId: id, callId } = question
    if (id === undefined || callId === undefined) return entries
    const call = findCall(entries, callId)
    // Its event has told it, or it was answered meanwhile.
    if (call?.question !== undefined) return entries
    const asked = call ?? newCall(key, callId, question)
    return put(entries, { ...asked, state: 'asked', question: { id } })
  }
  const large = readNotice(notice, 'event-too-large')
  if (large === undefined) return entries
  const { callId, type, status } = large
  const note = tooLarge(key, large)
  if (callId === undefined) return [...entries, note]
  const call = findCall(entries, callId) ?? newCall(key, callId, large)
  const edits = [...call.edits, note]
  return put(entries, {
    ...call,
    edits,
    ...(type === 'tool-end' && {
      state: endOf(status),
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

function tooLarge(
  key: string,
  { type = '', chars = 0 }: { readonly type?: string; readonly chars?: number },
): NoteEntry {
  const what = things[type] ?? 'something'
  const title = `${what} of ${chars.toLocaleString('en')} characters, which is too much for the log of events`
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

interface Place {
  readonly sessionId?: string
  readonly turnId?: string
  readonly tool?: string
}

function newCall(
  key: string,
  callId: string,
  { sessionId = '', turnId = '', tool = '' }: Place,
): CallEntry {
  const none = { args: {}, progress: '', edits: [], within: [] }
  const place = { key, sessionId, turnId, callId }
  return { type: 'call', ...place, tool, state: 'running', ...none }
}

function put(entries: readonly Entry[], call: CallEntry): readonly Entry[] {
  const at = entries.findIndex(({ key }) => key === call.key)
  return at < 0 ? [...entries, call] : entries.with(at, call)
}

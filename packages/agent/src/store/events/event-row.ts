import type { AgentEvent, JsonObject } from 'hookline/lifecycle'
import { checkSessionId } from '../check-session-id.ts'
import type { Place } from '../content/payloads.ts'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { readKeptEvent } from '../read-answered-by.ts'
import { StoreError } from '../store-error.ts'
import type { LoggedEvent } from './event-log.ts'

/** An event as it is written; its position is only known then. */
export interface EventRow {
  readonly id: string
  readonly sessionId: string | undefined
  readonly kind: 'event' | 'notice'
  readonly payload: string
  /** The outermost session that it is told for, if that is another one. */
  readonly family?: string
}

interface NoticeBody {
  readonly name: string
  readonly data?: JsonObject
}

const maxChars = 4_000_000
/** So much that there is no need to write it out to know. */
const hopelessChars = 2 * maxChars
const isName = /^[a-z0-9][a-z0-9._-]{0,99}$/

type RowParts = Pick<StoreParts, 'payloads' | 'nextId'>

/** The call that an event is about, so that it can be told without it. */
function callOf(event: AgentEvent): JsonObject {
  if (event.type === 'permission-start') {
    const { id: callId, tool } = event.question.call
    return { callId, tool }
  }
  if (event.type === 'tool-start') {
    const { id: callId, tool } = event.call
    return { callId, tool }
  }
  if (event.type !== 'tool-end') return {}
  const { callId, tool, status } = event
  return { callId, tool, status }
}

/** What cannot be kept is not left out without a word. */
export function eventRow(event: AgentEvent, parts: RowParts): EventRow {
  const { sessionId, turnId, seq, type } = event
  checkSessionId(sessionId)
  const about = { type, turnId, seq, ...callOf(event) }
  const tooLarge = (chars: number) => {
    const body = { name: 'event-too-large', data: { ...about, chars } }
    return makeRow('notice', body, { sessionId, parts })
  }
  // To write out, and encrypt, what is not kept would hold up everybody.
  const chars = charsIn(event)
  if (chars > hopelessChars) return tooLarge(chars)
  let row: EventRow
  try {
    row = makeRow('event', event, { sessionId, parts })
  } catch {
    const body = { name: 'event-unfit', data: about }
    return makeRow('notice', body, { sessionId, parts })
  }
  if (row.payload.length > maxChars) return tooLarge(row.payload.length)
  const [family] = event.within ?? []
  return family === undefined ? row : { ...row, family }
}

/** How many characters its texts have; of very many, not all are counted. */
function charsIn(event: AgentEvent): number {
  // It grows while it is gone through; what contains itself is in it once.
  const seen = new Set<object>([event])
  let chars = 0
  for (const one of seen) {
    for (const member of Object.values(one)) {
      if (typeof member === 'string') chars += member.length
      else if (typeof member === 'object' && member !== null) seen.add(member)
    }
    if (chars > hopelessChars) break
  }
  return chars
}

export function noticeRow(
  { name, data }: NoticeBody,
  sessionId: string | undefined,
  parts: RowParts,
): EventRow {
  if (sessionId !== undefined) checkSessionId(sessionId)
  if (!isName.test(name)) {
    const message = `A notice has a short name of small letters, digits, ".", "_" and "-", as "config.reloaded"; not ${JSON.stringify(name.slice(0, 100))}.`
    throw new StoreError('invalid-options', message)
  }
  const body = { name, ...(data !== undefined && { data }) }
  const row = makeRow('notice', body, { sessionId, parts })
  if (row.payload.length <= maxChars) return row
  const message = `The notice "${name}" has more than ${maxChars} characters; tell where the rest is instead.`
  throw new StoreError('invalid-options', message)
}

function makeRow(
  kind: EventRow['kind'],
  body: unknown,
  {
    sessionId,
    parts,
  }: { readonly sessionId: string | undefined; readonly parts: RowParts },
): EventRow {
  const id = parts.nextId()
  const payload = parts.payloads.write(body, placeOf(id, sessionId))
  return { id, sessionId, kind, payload }
}

/** As `session-tables.ts` has its key. */
function placeOf(id: string, sessionId: string | undefined): Place {
  return ['events', id, sessionId ?? '']
}

export function readEvent(
  row: Row,
  cursor: string,
  { payloads }: Pick<StoreParts, 'payloads'>,
): LoggedEvent {
  const at = Number(row['at'])
  const id = String(row['id'])
  const session = row['session_id']
  const sessionId = typeof session === 'string' ? session : undefined
  const about = { ...(sessionId !== undefined && { sessionId }) }
  const place = placeOf(id, sessionId)
  let body: unknown
  try {
    body = payloads.read(String(row['payload']), place)
  } catch (error) {
    // A stream that ended here would never get beyond it.
    const code = error instanceof StoreError ? error.code : 'corrupt'
    const name = 'event-unreadable'
    return { type: 'notice', cursor, at, name, data: { code }, ...about }
  }
  // Written by us, and bound to its row where payloads are encrypted.
  if (row['kind'] === 'event') {
    const event = readKeptEvent(body as AgentEvent)
    return { type: 'event', cursor, at, event }
  }
  const { name, data } = body as NoticeBody
  const told = { ...(data !== undefined && { data }) }
  return { type: 'notice', cursor, at, name, ...told, ...about }
}

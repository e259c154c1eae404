import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { type Signals, topics } from '../signals/signals.ts'
import { StoreError } from '../store-error.ts'
import { AppendQueue } from './append-queue.ts'
import { cursorOf, placeIn } from './cursor.ts'
import type { EventLog, EventPage, ReadEventsOptions } from './event-log.ts'
import { eventRow, noticeRow, readEvent } from './event-row.ts'
import { readAll, readMarksSql, readOfSession } from './statements.ts'

export interface StoredEventsOptions {
  readonly signals: Signals
  /** How long a database that is away is waited for. Default: 30 s. */
  readonly patienceMs?: number
}

/** A log that is closed with its store. */
export interface StoredEvents extends EventLog {
  close(): Promise<void>
}

const maxLimit = 1_000
const pageChars = 4_000_000

/** The log of events in a database that several processes may share. */
export function createEventLog(
  parts: StoreParts,
  { signals, patienceMs = 30_000 }: StoredEventsOptions,
): StoredEvents {
  const queue = new AppendQueue(parts, {
    patienceMs,
    appended: () => signals.tell(topics.events),
  })
  return {
    async append(events) {
      await queue.add(events.map((event) => eventRow(event, parts)))
    },
    async notice(name, data, { sessionId } = {}) {
      const body = { name, ...(data !== undefined && { data }) }
      await queue.add([noticeRow(body, sessionId, parts)])
    },
    read: (options = {}) => readPage(parts, options),
    async head() {
      const { log, head } = await readMarks(parts)
      return cursorOf(log, head)
    },
    onAppend: (listener) => signals.on(topics.events, listener),
    close: () => queue.close(),
  }
}

async function readPage(
  parts: StoreParts,
  options: ReadEventsOptions,
): Promise<EventPage> {
  const { after, sessionId, limit = 500 } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const message = `A page of events has 1 to ${maxLimit} of them, not ${limit}.`
    throw new StoreError('invalid-options', message)
  }
  const place = after === undefined ? undefined : placeIn(after)
  const most = limit + 1
  const from = [place?.position ?? 0, most]
  const own = [sessionId ?? '', ...from]
  const rows = await parts.database.read(
    sessionId === undefined
      ? { sql: readAll, values: [...from, pageChars] }
      : { sql: readOfSession, values: [...own, ...own, most, pageChars] },
  )
  const { log, head, floor } = marksIn(rows[0])
  const isOurs = place?.log === log && place.position <= head
  if (after !== undefined && !isOurs) {
    const { after: _, ...fromOldest } = options
    return { ...(await readPage(parts, fromOldest)), isReset: true }
  }
  const items = rows
    .filter(({ position }) => position !== null)
    .slice(0, limit)
    .map((row) => {
      const cursor = cursorOf(log, Number(row['position']))
      return readEvent(row, cursor, parts)
    })
  const hasMore = Number(rows[0]?.['found'] ?? 0) > items.length
  // Beyond what others told, or retention would seem to have removed it.
  const next = hasMore ? items.at(-1)?.cursor : undefined
  return {
    items,
    next: next ?? cursorOf(log, head),
    isReset: place !== undefined && place.position < floor,
    hasMore,
  }
}

interface Marks {
  readonly log: string
  readonly head: number
  /** Up to here all has been removed. */
  readonly floor: number
}

async function readMarks({ database }: StoreParts): Promise<Marks> {
  const [row] = await database.read({ sql: readMarksSql, values: [] })
  return marksIn(row)
}

function marksIn(row: Row | undefined): Marks {
  if (row === undefined) {
    const message =
      'The log of events has lost its marks: restore a backup of the store.'
    throw new StoreError('corrupt', message)
  }
  return {
    log: String(row['log']),
    head: Number(row['head']),
    floor: Number(row['floor']),
  }
}

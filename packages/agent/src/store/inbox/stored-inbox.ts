import type { JsonObject } from 'hookline/lifecycle'
import { AgentError } from '../../ports/agent-error.ts'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Row, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { type Signals, topics } from '../signals/signals.ts'
import { StoreError } from '../store-error.ts'
import type { Inbox, InboxMessage, NewMessage } from './inbox.ts'
import {
  endMessage,
  listWaiting,
  putMessage,
  readMessages,
  readOutcome,
  readReason,
} from './statements.ts'

export interface StoredInboxOptions {
  readonly signals: Signals
  /** Of texts; default: anybody can make the same. */
  readonly digest?: (text: string) => string
  /** How many a session may have waiting. Default: 1000. */
  readonly maxOpen?: number
}

const isKind = /^[a-z][a-z0-9._-]{0,63}$/
const maxBodyChars = 4_000_000
const maxLimit = 1_000

/** Messages in a table, for sessions of any process. */
export function createInbox(
  parts: StoreParts,
  { signals, digest = sha256, maxOpen = 1_000 }: StoredInboxOptions,
): Inbox {
  const { database, payloads } = parts

  return {
    async put(message) {
      const { sessionId } = message
      const made = newMessage(parts, message, { digest, maxOpen })
      const { id, same, statement } = made
      const [result] = await database.write({
        name: 'inbox.put',
        statements: [statement],
      })
      const isNew = result?.changes === 1
      if (!isNew) await demandKnown(id, sessionId, same)
      signals.tell(topics.inbox)
      return { id, isNew }
    },
    async read(sessionId) {
      const statement = { sql: readMessages, values: [sessionId, maxOpen] }
      const rows = await database.read(statement)
      return rows.map((row) => messageOf(row, parts))
    },
    async done(ids, outcome) {
      if (ids.length === 0) return
      const statements = ids.map((id) => {
        const became = outcome && payloads.write(outcome, ['inbox', id])
        return { sql: endMessage, values: [became ?? null, id] }
      })
      await database.write({ name: 'inbox.done', statements })
    },
    async outcome(id) {
      const [row] = await database.read({ sql: readOutcome, values: [id] })
      if (row === undefined) return undefined
      const { done_at: doneAt = null, payload = null } = row
      if (doneAt === null) return { isDone: false }
      if (payload === null) return { isDone: true }
      // Written by `done`.
      const outcome = payloads.read(String(payload), ['inbox', id])
      return { isDone: true, outcome: outcome as JsonObject }
    },
    async waiting(limit, skip = 0) {
      const isLimit = Number.isInteger(limit) && limit > 0 && limit <= maxLimit
      if (!isLimit) throw invalid(limitMessage)
      const statement = { sql: listWaiting, values: [limit, skip] }
      const rows = await database.read(statement)
      return rows.map((row) => ({
        sessionId: String(row['session_id']),
        agent: String(row['agent']),
        kinds: String(row['kinds']).split(' '),
      }))
    },
  }

  /** Nothing was put: as it is there already, or as it must not be. */
  async function demandKnown(
    id: string,
    sessionId: string,
    same: string | null,
  ): Promise<void> {
    const values = [id, id, sessionId, sessionId]
    const [row] = await database.read({ sql: readReason, values })
    if (row?.['known'] === 1) {
      const known = row['digest'] ?? null
      if (known === null || same === null || known === same) return
      const message = `Something else was left for session "${sessionId}" with the same key before; give each message a key of its own.`
      throw new StoreError('conflict', message)
    }
    if (row?.['sessions'] === 0) {
      const message = `There is no session "${sessionId}".`
      throw new AgentError('unknown-session', message)
    }
    if (row?.['ended'] === 1) {
      const message = `Session "${sessionId}" is over; begin another one.`
      throw new AgentError('session-ended', message)
    }
    const message = `Session "${sessionId}" has ${maxOpen} messages waiting, which is as many as it may; it takes more when it has got to them.`
    throw new StoreError('too-many', message)
  }
}

interface MadeMessage {
  readonly id: string
  /** What tells it from another one with the same key. */
  readonly same: string | null
  readonly statement: Statement
}

/** How a message is left; also together with what it is about. */
export function newMessage(
  { payloads, redactor, nextId }: StoreParts,
  message: NewMessage,
  { digest, maxOpen }: Required<Omit<StoredInboxOptions, 'signals'>>,
): MadeMessage {
  const { sessionId, kind, body, by } = message
  if (!isKind.test(kind)) throw invalid(kindMessage)
  const id = idOf(message, nextId)
  const payload = payloads.write(body, ['inbox', id])
  if (payload.length > maxBodyChars) throw invalid(bodyMessage)
  // Who left it does not count: the same can come from another daemon.
  const { actor: _, ...said } = body
  const same = message.key === undefined ? null : digest(canonicalJson(said))
  const made = [id, kind, nextId(), redactor.text(by), payload, same]
  const values = [...made, sessionId, maxOpen]
  return { id, same, statement: { sql: putMessage, values } }
}

const kindMessage =
  'The kind of a message is a short word of small letters, digits, ".", "_" and "-".'
const bodyMessage = `A message has at most ${maxBodyChars} characters.`
const limitMessage = `A limit is a whole number from 1 to ${maxLimit}.`

function invalid(message: string): StoreError {
  return new StoreError('invalid-options', message)
}

/** By its key; nothing of the key can be read from it. */
function idOf({ sessionId, kind, key }: NewMessage, nextId: () => string) {
  if (key === undefined) return nextId()
  return `message-${sha256(JSON.stringify([sessionId, kind, key])).slice(0, 40)}`
}

function messageOf(row: Row, { payloads }: StoreParts): InboxMessage {
  const id = String(row['id'])
  return {
    id,
    sessionId: String(row['session_id']),
    kind: String(row['kind']),
    // Written by `put`.
    body: payloads.read(String(row['payload']), ['inbox', id]) as JsonObject,
    by: String(row['made_by']),
    createdAt: Number(row['created_at']),
  }
}

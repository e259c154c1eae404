import { AgentError } from '../../ports/agent-error.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { type Signals, topics } from '../signals/signals.ts'
import {
  checkLimit,
  checkWake,
  maxWakes,
  maxWakesOfEvent,
  tooMany,
} from './bounds.ts'
import { fireWakes } from './fire-wakes.ts'
import {
  endFiring,
  getWake,
  giveUpFiring,
  insertWake,
  listLeft,
  listNewestWakes,
  listWakes,
  removeWake,
  takeFiring,
  wakeSession,
} from './statements.ts'
import { firingOf, type WakePayload, wakeOf } from './wake-row.ts'
import type { NewWake, StoredWake, Wakes } from './wakes.ts'

export interface StoredWakesOptions {
  readonly signals: Signals
  /** Of texts; default: anybody can make the same. */
  readonly digest?: (text: string) => string
  /** How many wakes in a row may lead to another. Default: 8. */
  readonly maxDepth?: number
  /** How often one wake may fire. Default: 60. */
  readonly maxPerMinute?: number
}

/** Wakes in a table, for all processes that share it. */
export function createWakes(
  parts: StoreParts,
  options: StoredWakesOptions,
): Wakes {
  const { database, worker } = parts
  const { signals, digest = sha256 } = options
  const { maxDepth = 8, maxPerMinute = 60 } = options
  return {
    maxDepth,
    add: (wake) => addWake(parts, wake),
    async list({ limit = 50, after } = {}) {
      checkLimit(limit)
      const rows = await database.read(
        after === undefined
          ? { sql: listNewestWakes, values: [limit + 1] }
          : { sql: listWakes, values: [after, limit + 1] },
      )
      const items = rows.slice(0, limit).map((row) => wakeOf(row, parts))
      const last = items.at(-1)
      if (rows.length <= limit || last === undefined) return { items }
      return { items, next: last.id }
    },
    async get(id) {
      const [row] = await database.read({ sql: getWake, values: [id] })
      return row && wakeOf(row, parts)
    },
    async remove(id) {
      const statements = [{ sql: removeWake, values: [id] }]
      const unit = { name: 'wake.remove', statements }
      const [result] = await database.write(unit)
      return result?.changes === 1
    },
    async fire(event) {
      const fired = await fireWakes(parts, event, {
        maxDepth,
        maxPerMinute,
        digest,
      })
      if (fired.wakes.length > 0) signals.tell(topics.wakes)
      return fired
    },
    async done(firingIds) {
      if (firingIds.length === 0) return
      const statements = firingIds.map((id) => {
        return { sql: endFiring, values: [id] }
      })
      await database.write({ name: 'wake.done', statements })
    },
    async left(limit, skip = 0) {
      checkLimit(limit)
      const values = [worker, limit, skip]
      const rows = await database.read({ sql: listLeft, values })
      return rows.map((row) => {
        return { ...firingOf(row, parts), worker: String(row['worker']) }
      })
    },
    async take(left) {
      if (left.length === 0) return []
      const statements = left.map(({ firingId, worker: before }) => {
        return { sql: takeFiring, values: [worker, firingId, before] }
      })
      const taken = await database.write({ name: 'wake.take', statements })
      return left
        .filter((_, index) => taken[index]?.changes === 1)
        .map(({ worker: _, ...fired }) => fired)
    },
    async giveUp(firingIds) {
      if (firingIds.length === 0) return
      const statements = firingIds.map((id) => {
        return { sql: giveUpFiring, values: [id, worker] }
      })
      await database.write({ name: 'wake.give', statements })
      signals.tell(topics.wakes)
    },
  }
}

/** How a wake is added; also together with what it is about. */
export function newWake(
  { payloads, redactor, nextId }: StoreParts,
  wake: NewWake,
): { readonly id: string; readonly statement: Statement } {
  checkWake(wake)
  const { event, agent, sessionId, prompt = '', isOnce = false } = wake
  const id = nextId()
  const exact: WakePayload = { agent, prompt }
  const by = redactor.text(wake.by)
  const values = [
    ...[id, event, redactor.text(agent), sessionId ?? null, isOnce ? 1 : 0, by],
    payloads.write(exact, ['wakes', id]),
    ...[maxWakes, event, maxWakesOfEvent],
  ]
  return { id, statement: { sql: insertWake, values } }
}

async function addWake(parts: StoreParts, wake: NewWake): Promise<StoredWake> {
  const { id, statement } = newWake(parts, wake)
  const { database, redactor } = parts
  const { event, agent, sessionId, prompt = '', isOnce = false } = wake
  if (sessionId !== undefined) await demandSession(parts, sessionId)
  const by = redactor.text(wake.by)
  const statements = [statement]
  const [added] = await database.write({ name: 'wake.add', statements })
  const row = added?.rows[0]
  if (row === undefined) throw tooMany(event)
  return {
    id,
    event,
    agent,
    ...(sessionId !== undefined && { sessionId }),
    prompt,
    isOnce,
    createdAt: Number(row['created_at']),
    createdBy: by,
    fired: 0,
  }
}

async function demandSession(
  { database }: StoreParts,
  sessionId: string,
): Promise<void> {
  const statement = { sql: wakeSession, values: [sessionId] }
  if ((await database.read(statement)).length > 0) return
  const message = `There is no session "${sessionId}" that could be woken.`
  throw new AgentError('unknown-session', message)
}

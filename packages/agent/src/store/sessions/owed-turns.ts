import type { JournalEntry, SessionInfo, TurnEnded } from '../../ports/store.ts'
import type { StoreParts } from '../parts.ts'
import { contentRemoved, infoOf } from './session-info.ts'

/** A turn that has ended, and whose process died before it told hooks so. */
export interface OwedTurn {
  readonly sessionId: string
  readonly turnId: string
  readonly agent: string
  /** Who was to tell them. */
  readonly owedBy: string
}

/** What hooks are told of it. */
export interface OwedEnd {
  readonly info: SessionInfo
  readonly start: Extract<JournalEntry, { readonly type: 'turn-start' }>
  readonly end: TurnEnded
}

const listOwedSql = `
SELECT session_id, id, agent, owed_by FROM turns
WHERE owed_by IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM workers
  WHERE workers.id = turns.owed_by AND leased_until > hookline_now()
)
ORDER BY started_at, id LIMIT ?`

/** By what is in its own row alone: of several who try, one takes it. */
const takeOwedSql = `
UPDATE turns SET owed_by = ?
WHERE id = ? AND session_id = ? AND owed_by = ?`

const readInfo = 'SELECT created_at, payload FROM sessions WHERE id = ?'
const readEntries = `
SELECT seq, payload FROM journal
WHERE session_id = ? AND turn_id = ? AND type IN ('turn-start', 'turn-end')
ORDER BY seq`

/** The oldest first. */
export async function listOwed(
  { database }: Pick<StoreParts, 'database'>,
  limit: number,
): Promise<readonly OwedTurn[]> {
  const rows = await database.read({ sql: listOwedSql, values: [limit] })
  return rows.map((row) => ({
    sessionId: String(row['session_id']),
    turnId: String(row['id']),
    agent: String(row['agent']),
    owedBy: String(row['owed_by']),
  }))
}

/** Whom its agent worked for; undefined also where nobody can tell any more. */
export async function parentsOf(
  { database, payloads }: Pick<StoreParts, 'database' | 'payloads'>,
  { sessionId }: OwedTurn,
): Promise<readonly string[] | undefined> {
  const [row] = await database.read({ sql: readInfo, values: [sessionId] })
  if (row === undefined || row['payload'] === null) return undefined
  return infoOf(sessionId, row, payloads).parent?.agents
}

/** Whether it is this process that tells them now. */
export async function takeOwed(
  { database, worker }: StoreParts,
  { sessionId, turnId, owedBy }: OwedTurn,
): Promise<boolean> {
  const values = [worker, turnId, sessionId, owedBy]
  const statements = [{ sql: takeOwedSql, values }]
  const [taken] = await database.write({ name: 'turn.take', statements })
  return taken?.changes === 1
}

/** Undefined if it is not there any more; throws if its content is not. */
export async function readOwed(
  { database, payloads }: StoreParts,
  { sessionId, turnId }: OwedTurn,
): Promise<OwedEnd | undefined> {
  const [row] = await database.read({ sql: readInfo, values: [sessionId] })
  if (row === undefined) return undefined
  const info = infoOf(sessionId, row, payloads)
  const rows = await database.read({
    sql: readEntries,
    values: [sessionId, turnId],
  })
  const entries = rows.map(({ seq, payload = null }) => {
    if (payload === null) throw contentRemoved(sessionId)
    const place = ['journal', sessionId, Number(seq)] as const
    // Only entries are written there.
    return payloads.read(String(payload), place) as JournalEntry
  })
  const start = entries.find((entry) => entry.type === 'turn-start')
  const end = entries.find((entry) => entry.type === 'turn-end')
  return start && end && { info, start, end }
}

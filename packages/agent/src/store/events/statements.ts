import type { Dialect, SqlValue, Statement } from '../database.ts'
import type { EventRow } from './event-row.ts'

export const readMarksSql = `
SELECT head.log AS log, head.position AS head, floor.position AS floor
FROM event_marks head JOIN event_marks floor ON floor.name = 'floor'
WHERE head.name = 'head'`

/**
 * Positions are given out by one row, which is locked until the transaction
 * ends: so nobody can read a position before all smaller ones can be read.
 */
const takePositions = `
UPDATE event_marks SET position = position + ? WHERE name = 'head'
RETURNING position`

/**
 * Others wait for that row. A process that is stopped in the middle must not
 * hold it for as long as it may take otherwise.
 */
const holdShortly: Statement = {
  sql: `SELECT set_config('idle_in_transaction_session_timeout', ?, true)`,
  values: ['2000'],
}

// Any number of rows is a few of each, so that there are few texts.
const sizes = [64, 8, 1] as const
const columns = 6

const inserts = sizes.map((size) => {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`
  const rows = Array<string>(size).fill(row).join(', ')
  return {
    size,
    sql: `
INSERT INTO events (position, at, size, id, session_id, kind, payload, family)
SELECT head.position - CAST(added.column1 AS BIGINT), hookline_now(),
  LENGTH(added.column5), added.column2, added.column3, added.column4,
  added.column5, added.column6
FROM event_marks head, (VALUES ${rows}) AS added WHERE head.name = 'head'`,
  }
})

/** The first result that has rows tells the position of the last one. */
export function appendStatements(
  rows: readonly EventRow[],
  dialect: Dialect,
): readonly Statement[] {
  const statements: Statement[] = dialect === 'postgres' ? [holdShortly] : []
  statements.push({ sql: takePositions, values: [rows.length], expects: 1 })
  let from = 0
  for (const { size, sql } of inserts) {
    for (; rows.length - from >= size; from += size) {
      const values: SqlValue[] = []
      for (let at = from; at < from + size; at++) {
        const row = rows[at]
        if (row === undefined) continue
        const { id, sessionId = null, kind, payload, family = null } = row
        const place = rows.length - 1 - at
        values.push(place, id, sessionId, kind, payload, family)
      }
      statements.push({ sql, values, expects: size })
    }
  }
  return statements
}

/** Whether a row is there that was written after that position. */
export const findAppended =
  'SELECT 1 AS one FROM events WHERE position > ? AND id = ? LIMIT 1'

const looked = (where: string) => `
SELECT position, id, session_id, at, kind, size, payload FROM events
WHERE ${where} ORDER BY position LIMIT ?`

/**
 * One look at the log and its marks. What is large is left for the next page,
 * but for the first of them.
 */
const readSql = (rows: string) => `
SELECT head.log AS log, head.position AS head, floor.position AS floor,
  page.position AS position, page.id AS id, page.session_id AS session_id,
  page.at AS at, page.kind AS kind, page.payload AS payload,
  page.found AS found
FROM event_marks head JOIN event_marks floor ON floor.name = 'floor'
LEFT JOIN (
  SELECT * FROM (
    SELECT looked.*, SUM(size) OVER (ORDER BY position) - size AS before_it,
      COUNT(*) OVER () AS found
    FROM (${rows}) AS looked
  ) AS sized WHERE before_it < ?
) AS page ON 1 = 1
WHERE head.name = 'head' ORDER BY page.position`

export const readAll = readSql(looked('position > ?'))

/** Each part in its order by its index; nothing more is sorted. */
export const readOfSession = readSql(`
SELECT * FROM (
  SELECT * FROM (${looked('session_id = ? AND position > ?')}) AS own
  UNION ALL
  SELECT * FROM (${looked('family = ? AND position > ?')}) AS others
) AS either_one ORDER BY position LIMIT ?`)

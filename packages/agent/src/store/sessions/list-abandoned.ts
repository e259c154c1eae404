import { epochSql } from '../approvals/statements.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'

/** A turn that has begun and not ended, and that nobody works on. */
export interface AbandonedTurn {
  readonly sessionId: string
  readonly turnId: string
  readonly agent: string
  /**
   * All it needs is an answer that somebody may still give: whoever took it
   * would only wait.
   */
  readonly isWaiting: boolean
  /** The tools of calls that people were asked about: it goes on where they are. */
  readonly tools: readonly string[]
}

const maxLimit = 1_000

// Everywhere COUNT, not EXISTS: Postgres would make tables of all calls and all
// sessions that are open.

// A call waits as long as its question can be answered: one that was answered,
// or is too old, is for somebody to go on with.
const waits = `
calls.state = 'waiting' AND (
  SELECT COUNT(*) FROM approvals
  WHERE approvals.turn_id = calls.turn_id AND approvals.call_id = calls.call_id
    AND approvals.session_id = calls.session_id
    AND approvals.state = 'pending' AND approvals.epoch = ${epochSql}
    AND approvals.expires_at > hookline_now()
) > 0`

const openCalls = `FROM calls WHERE calls.turn_id = turns.id
  AND calls.session_id = turns.session_id AND calls.state <> 'ended'`

const isNobodys = `
(SELECT COUNT(*) FROM sessions
  WHERE sessions.id = turns.session_id AND sessions.ended IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM workers
      WHERE workers.id = sessions.worker AND leased_until > hookline_now()
    )) > 0`

/**
 * What a sub-agent was doing belongs to the turn that it worked for, and is
 * not gone on with by itself.
 */
export const listAbandonedSql = `
SELECT session_id, id, agent,
  CASE WHEN (SELECT COUNT(*) ${openCalls}) > 0
    AND (SELECT COUNT(*) ${openCalls} AND NOT (${waits})) = 0
    THEN 1 ELSE 0 END AS is_waiting,
  (SELECT STRING_AGG(calls.tool, ' ') ${openCalls}
    AND calls.state = 'waiting') AS tools
FROM turns
WHERE ended_at IS NULL AND COALESCE(origin, '') <> 'subagent' AND ${isNobodys}
ORDER BY is_waiting, started_at, id LIMIT ? OFFSET ?`

/**
 * Open turns of sessions that no living process has: first those that can go
 * on, the oldest first; of a long list, what comes after so many.
 */
export async function listAbandoned(
  { database }: Pick<StoreParts, 'database'>,
  limit = 100,
  { skip = 0 }: { readonly skip?: number } = {},
): Promise<readonly AbandonedTurn[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const message = `A limit is a whole number from 1 to ${maxLimit}, not ${limit}.`
    throw new StoreError('invalid-options', message)
  }
  const values = [limit, skip]
  const rows = await database.read({ sql: listAbandonedSql, values })
  return rows.map((row) => ({
    sessionId: String(row['session_id']),
    turnId: String(row['id']),
    agent: String(row['agent']),
    isWaiting: row['is_waiting'] === 1,
    tools: String(row['tools'] ?? '')
      .split(' ')
      .filter(Boolean),
  }))
}

import type { StoreParts } from '../parts.ts'

/** Where a call is: its id is the model's, and another turn may have the same. */
export interface FoundCall {
  readonly sessionId: string
  readonly turnId: string
  readonly callId: string
  readonly tool: string
  readonly startedAt: number
}

export interface FindCallsOptions {
  readonly callId: string
  readonly sessionId?: string
  readonly turnId?: string
}

/** How many turns are looked into, so that the work is bounded. */
const maxTurns = 5_000
const maxFound = 20

// By way of the turns: calls have no order of their own over all sessions.
const findIn = (turns: string) => `SELECT calls.session_id, calls.turn_id,
  calls.call_id, calls.tool, calls.started_at
FROM (${turns} LIMIT ${maxTurns}) AS newest
CROSS JOIN calls WHERE calls.turn_id = newest.id AND calls.call_id = ?
  AND calls.session_id = newest.session_id
ORDER BY calls.started_at DESC LIMIT ${maxFound}`

export const findCallsSql = {
  everywhere: findIn(`SELECT id, session_id FROM turns
  WHERE started_at >= 0 ORDER BY started_at DESC`),
  inSession: findIn(`SELECT id, session_id FROM turns
  WHERE session_id = ? ORDER BY number DESC`),
}

/** Calls of that id in the newest turns, the newest first. */
export async function findCalls(
  { database, redactor }: Pick<StoreParts, 'database' | 'redactor'>,
  { callId, sessionId, turnId }: FindCallsOptions,
): Promise<readonly FoundCall[]> {
  // As the table has it.
  const id = redactor.text(callId)
  const statement =
    sessionId === undefined
      ? { sql: findCallsSql.everywhere, values: [id] }
      : { sql: findCallsSql.inSession, values: [sessionId, id] }
  const rows = await database.read(statement)
  const found = rows.map((row) => ({
    sessionId: String(row['session_id']),
    turnId: String(row['turn_id']),
    callId: String(row['call_id']),
    tool: String(row['tool']),
    startedAt: Number(row['started_at']),
  }))
  return turnId === undefined
    ? found
    : found.filter((call) => call.turnId === turnId)
}

import type { RunState } from 'hookline'
import type { StoreParts } from '../parts.ts'
import { number, text } from './stored-run.ts'

/** One try to run a hook. */
export interface StoredAttempt {
  readonly attempt: number
  readonly state: RunState
  readonly startedAt: number
  readonly latencyMs: number | undefined
  readonly failureCode: string | undefined
  readonly worker: string | undefined
}

const columns = 'attempt, state, started_at, latency_ms, failure_code, worker'

// The newest attempt is the run itself.
export const listAttemptsSql = `SELECT ${columns} FROM attempts WHERE run_id = ?
UNION ALL SELECT ${columns} FROM runs WHERE id = ?
ORDER BY attempt LIMIT 1000`

/** Every attempt of a run, the first one first. */
export async function listAttempts(
  { database }: Pick<StoreParts, 'database'>,
  runId: string,
): Promise<readonly StoredAttempt[]> {
  const values = [runId, runId]
  const rows = await database.read({ sql: listAttemptsSql, values })
  return rows.map((row) => ({
    attempt: Number(row['attempt']),
    // The store wrote it, from a record that has no other states.
    state: String(row['state']) as RunState,
    startedAt: Number(row['started_at']),
    latencyMs: number(row['latency_ms']),
    failureCode: text(row['failure_code']),
    worker: text(row['worker']),
  }))
}

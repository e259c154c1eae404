import type { RunState } from 'hookline'
import type { SqlValue, Statement } from '../database.ts'

export interface QueuedRunEnd {
  readonly state: RunState
  readonly code: SqlValue
  readonly message: SqlValue
}

const endRun = `UPDATE runs SET state = ?, failure_code = ?, failure_message = ?
WHERE id = ? AND state = 'backgrounded'`

/**
 * Ends the record of a hook that was queued and did not run; one that has begun
 * meanwhile keeps what it says. If its job was put back meanwhile, it ends all
 * the same, and the attempt that follows takes its place. For the unit of
 * whoever knows of its job.
 */
export function endQueuedRun(
  id: SqlValue,
  { state, code, message }: QueuedRunEnd,
): Statement {
  return { sql: endRun, values: [state, code, message, id] }
}

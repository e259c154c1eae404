import type { Job } from 'hookline'
import type { SqlValue, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { createRunRows } from './run-row.ts'
import { runIdOf } from './run-start.ts'
import { writeRuns } from './run-statements.ts'

/**
 * The record that a background hook was queued, to be written in one unit with
 * its job: so there is never one without the other.
 */
export function queuedRun(parts: StoreParts): (job: Job) => Statement[] {
  const rows = createRunRows(parts, { content: 'none', key: undefined })
  return (job) => {
    const { dispatch, point, hook, handler, scope, attempt } = job
    const { clock } = parts
    const startedAt = clock.wallAt(clock.now())
    const about = { dispatch, point, hook, handler, scope, attempt }
    const end = { ...about, state: 'backgrounded', startedAt } as const
    const id = runIdOf(job)
    const none = {
      start: undefined,
      said: undefined,
      input: undefined,
      late: undefined,
    }
    const values: SqlValue[] = []
    rows.add({ type: 'run', id, place: 0, end, ...none }, values)
    return writeRuns(values)
  }
}

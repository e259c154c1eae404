import type { SqlValue } from '../store/database.ts'
import type { StoreParts } from '../store/parts.ts'
import { listRuns, type RunCursor } from '../store/queries/list-runs.ts'
import {
  endQueuedRun,
  type QueuedRunEnd,
} from '../store/runs/end-queued-run.ts'
import type { JobState } from './job-queue.ts'
import { stateOf } from './job-rows.ts'
import { hookJobId } from './new-job.ts'

const maxBatch = 100
/** So long the record of a hook that did run may be on its way. */
const patienceMs = 30_000

const listOver = `SELECT id, state, reason FROM jobs
WHERE id IN (${Array<string>(maxBatch).fill('?').join(', ')})
  AND ended_at <= hookline_now() - ?`

/**
 * Ends the records of hooks that were queued and whose jobs are over without
 * them: nobody can run them any more, or whoever did died before it had said
 * so. Each call looks at the next few that wait, and gives how many it ended.
 */
export function createQueuedRunSweep(
  parts: Pick<StoreParts, 'database'>,
): (limit: number) => Promise<number> {
  const { database } = parts
  let after: RunCursor | undefined
  return async (limit) => {
    const { runs, next } = await listRuns(parts, {
      state: 'backgrounded',
      limit: Math.min(limit, maxBatch),
      isOldestFirst: true,
      isBrief: true,
      ...(after !== undefined && { after }),
    })
    after = next
    if (runs.length === 0) return 0
    const byJob = new Map(runs.map(({ id }) => [hookJobId(id), id]))
    const ids: SqlValue[] = [...byJob.keys()]
    while (ids.length < maxBatch) ids.push(null)
    const values = [...ids, patienceMs]
    const over = await database.read({ sql: listOver, values })
    if (over.length === 0) return 0
    const statements = over.map((row) => {
      const run = byJob.get(String(row['id'])) ?? null
      return endQueuedRun(run, endingOf(stateOf(row), row['reason'] ?? null))
    })
    const unit = { name: 'runs.end-queued', statements, isPatient: true }
    await database.write(unit)
    return over.length
  }
}

/** What the run of a job comes to, its code and the words for it. */
function endingOf(job: JobState, reason: SqlValue): QueuedRunEnd {
  if (job === 'done') return { state: 'completed', code: null, message: null }
  const state = job === 'cancelled' ? 'cancelled' : 'failed'
  const message = words.get(String(reason)) ?? otherWords
  return { state, code: reason, message }
}

const words: ReadonlyMap<string, string> = new Map([
  ['unregistered', 'The hook was not there any more when its turn came.'],
  ['version_changed', 'The hook was another one when its turn came.'],
  ['no_agent', 'No process that does jobs had its agent.'],
  ['input_changed', 'What it was to be given was changed in the database.'],
  [
    'unknown_outcome',
    'The process that had it stopped; nobody knows whether it ran.',
  ],
])
const otherWords = 'Its job came to nothing before it ran.'

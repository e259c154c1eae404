import type { HookRecord, Job, JobRefusal, Table } from 'hookline'
import type { JobFailure, LeasedJob, NewJob } from './job-queue.ts'
import type { JobOutcome } from './job-worker.ts'

/** How a job of a hook may be tried, as the hook says itself. */
export function declarationOf(
  table: Table | undefined,
  { hook }: Job,
): Pick<NewJob, 'isIdempotent' | 'retry'> {
  const declared = table?.hooks.find(({ name }) => name === hook)
  const isIdempotent = declared?.idempotent ?? false
  const { retry } = declared ?? {}
  return isIdempotent && retry !== undefined
    ? { isIdempotent, retry }
    : { isIdempotent }
}

/** What can be shown of a job without its input. */
export function aboutOf({ dispatch, point, hook, handler }: Job) {
  const { id, version } = handler
  return { dispatch, point, hook, handler: id, version }
}

/** What a run of a hook means for its job. */
export function outcomeOf(
  leased: LeasedJob,
  performed: HookRecord | JobRefusal,
): JobOutcome {
  if (performed === 'unregistered') return refused('unregistered', 'cancelled')
  if (performed === 'version-changed') return refused('version_changed', 'dead')
  const { state, failure } = performed
  if (state === 'completed') return { type: 'done' }
  // It keeps failing, and was not even tried.
  if (state === 'skipped') return elsewhere(leased, 'skipped', Infinity)
  const reason = state === 'failed' ? (failure?.code ?? state) : state
  const note = failure?.message ?? ''
  return { type: 'failed', failure: { reason, note } }
}

export function refused(
  reason: string,
  becomes: NonNullable<JobFailure['becomes']>,
): JobOutcome {
  return { type: 'failed', failure: { reason, becomes } }
}

/** How long a job waits for a process that can do it, each time and in all. */
const elsewhereMs = { shortest: 500, longest: 30_000, inAll: 24 * 3_600_000 }

/**
 * This process cannot do it; another may, or this one later: soon, where it has
 * only just begun and its agents are still being registered.
 */
export function elsewhere(
  { ageMs }: LeasedJob,
  reason: string,
  upMs: number,
): JobOutcome {
  const { shortest, longest, inAll } = elsewhereMs
  if (ageMs > inAll) return refused(reason, 'dead')
  const delayMs = Math.min(longest, Math.max(shortest, upMs))
  return { type: 'released', release: { reason, delayMs } }
}

import { sha256 } from '../seal/sha256.ts'
import type { SqlValue } from '../store/database.ts'
import type { StoreParts } from '../store/parts.ts'
import { StoreError } from '../store/store-error.ts'
import type { JobRetry, NewJob } from './job-queue.ts'

const maxAttempts = 100
const longestDelayMs = 365 * 86_400_000

/** The values of a job's row, in the order of its statement. */
export function newJobValues(
  { payloads, redactor, nextId }: StoreParts,
  job: NewJob,
): { readonly id: string; readonly values: readonly SqlValue[] } {
  const { kind, key, sessionId, lane, delayMs = 0 } = job
  const { isIdempotent = false, retry = { type: 'none' }, about = {} } = job
  checkRetry(retry, isIdempotent)
  checkDelay(delayMs)
  const id = key === undefined ? nextId() : jobIdOf(kind, key)
  const payload = payloads.write(job.payload, ['jobs', id])
  const values = [
    id,
    kind,
    sessionId ?? null,
    lane,
    JSON.stringify(redactor.data(about)),
    delayMs > 0 ? 'delayed' : 'queued',
    retry.type === 'none' ? 1 : retry.maxAttempts,
    isIdempotent ? 1 : 0,
    retry.type,
    retry.type === 'none' ? 0 : retry.delayMs,
    delayMs,
    lane,
    // Of the text as it is kept, so that it tells nothing about what it holds.
    sha256(payload),
    payload,
  ]
  return { id, values }
}

/** The id of a job by its key; nothing of the key can be read from it. */
function jobIdOf(kind: string, key: string): string {
  return `job-${sha256(JSON.stringify([kind, key])).slice(0, 40)}`
}

/** The id of the job of a hook; a run has one at most. */
export function hookJobId(runId: string): string {
  return jobIdOf('hook', runId)
}

/** What may not be repeated is not retried. */
export function checkRetry(retry: JobRetry, isIdempotent: boolean): void {
  if (retry.type === 'none') return
  if (!isIdempotent) {
    const message =
      'A job that is retried must be idempotent: declare that it is, or do not retry it.'
    throw new StoreError('invalid-options', message)
  }
  checkDelay(retry.delayMs)
  const isCount = Number.isInteger(retry.maxAttempts)
  if (isCount && retry.maxAttempts >= 1 && retry.maxAttempts <= maxAttempts) {
    return
  }
  const message = `A job is tried 1 to ${maxAttempts} times, not ${retry.maxAttempts}.`
  throw new StoreError('invalid-options', message)
}

function checkDelay(delayMs: number): void {
  const isWhole = Number.isInteger(delayMs)
  if (isWhole && delayMs >= 0 && delayMs <= longestDelayMs) return
  const message = `A job waits for whole milliseconds, at most a year; not for ${delayMs}.`
  throw new StoreError('invalid-options', message)
}

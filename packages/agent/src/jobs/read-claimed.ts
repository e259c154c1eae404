import { sha256 } from '../seal/sha256.ts'
import type { Row } from '../store/database.ts'
import type { StoreParts } from '../store/parts.ts'
import type { JobFailure, LeasedJob, ReleaseOptions } from './job-queue.ts'
import { type ClaimedRow, claimedRow } from './job-rows.ts'
import type { TableQueue } from './table-queue.ts'

/** How long a job that cannot be read here waits for somebody who can. */
const unreadableDelayMs = 30_000

/**
 * Jobs that were taken, in the order they were due in. What cannot be read is
 * dealt with at once: it takes nothing from the others.
 */
export async function readClaimed(
  queue: TableQueue,
  rows: readonly Row[],
): Promise<readonly LeasedJob[]> {
  const claimed = rows
    .map(claimedRow)
    .sort((one, other) => one.orderAt - other.orderAt)
  const jobs: LeasedJob[] = []
  for (const row of claimed) {
    const read = readPayload(queue.parts, row)
    if ('failure' in read) await queue.fail(row.job, read.failure)
    else if ('release' in read) await queue.release(row.job, read.release)
    else jobs.push({ ...row.job, payload: read.payload })
  }
  return jobs
}

type Read =
  | { readonly payload: unknown }
  | { readonly failure: JobFailure }
  | { readonly release: ReleaseOptions }

function readPayload(
  { payloads }: StoreParts,
  { job, payload, payloadHash }: ClaimedRow,
): Read {
  if (sha256(payload) !== payloadHash) {
    return { failure: { reason: 'input_changed', becomes: 'dead' } }
  }
  try {
    return { payload: payloads.read(payload, ['jobs', job.id]) }
  } catch {
    // Another process may have the key.
    const reason = 'unreadable'
    return { release: { reason, delayMs: unreadableDelayMs } }
  }
}

import type { Row, SqlValue } from '../store/database.ts'
import type {
  JobState,
  LeasedJob,
  ListedJob,
  RecoveredJob,
} from './job-queue.ts'

/** A job that was taken, before its payload is read. */
export interface ClaimedRow {
  readonly job: Omit<LeasedJob, 'payload'>
  readonly payload: string
  readonly payloadHash: string
  /** Its place among the others that were taken with it. */
  readonly orderAt: number
}

export function claimedRow(row: Row): ClaimedRow {
  return {
    job: {
      id: text(row['id']),
      fence: Number(row['fence']),
      kind: text(row['kind']),
      lane: text(row['lane']),
      sessionId: optionalText(row['session_id']),
      isIdempotent: row['is_idempotent'] === 1,
      ...attemptsOf(row),
      ageMs: Number(row['age_ms']),
    },
    payload: text(row['payload']),
    payloadHash: text(row['payload_hash']),
    orderAt: Number(row['order_at']),
  }
}

export function recoveredJob(row: Row): RecoveredJob {
  return {
    id: text(row['id']),
    kind: text(row['kind']),
    state: stateOf(row),
    reason: text(row['reason']),
  }
}

export function listedJob(row: Row): ListedJob {
  return {
    id: text(row['id']),
    kind: text(row['kind']),
    lane: text(row['lane']),
    sessionId: optionalText(row['session_id']),
    about: JSON.parse(text(row['about'])),
    state: stateOf(row),
    ...attemptsOf(row),
    isIdempotent: row['is_idempotent'] === 1,
    createdAt: Number(row['created_at']),
    runAt: Number(row['run_at']),
    endedAt: optionalNumber(row['ended_at']),
    worker: optionalText(row['worker']),
    reason: optionalText(row['reason']),
    note: optionalText(row['note']),
  }
}

export function stateOf(row: Row): JobState {
  return text(row['state']) as JobState // only we write this column
}

/** With those from before it was put back. */
function attemptsOf(row: Row): Pick<ListedJob, 'attempt' | 'maxAttempts'> {
  const earlier = Number(row['earlier_attempts'])
  return {
    attempt: earlier + Number(row['attempt']),
    maxAttempts: earlier + Number(row['max_attempts']),
  }
}

function text(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function optionalText(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function optionalNumber(value: SqlValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

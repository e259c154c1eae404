import type { AuditHead } from '../audit/audit-record.ts'
import type { Audit } from '../audit/create-audit.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import type { Database } from '../database.ts'
import { StoreError } from '../store-error.ts'
import { type RemovalRecord, recordRemoval } from './removal-record.ts'
import type { RetentionRule } from './rules.ts'

export interface AuditForRetention {
  readonly audit: Audit
  /** What was written down in the second place. */
  readonly anchors: () => Promise<readonly AuditHead[]>
  /** If the chain has one. */
  readonly key?: string
  readonly keyedFrom?: number
}

interface AuditPass {
  readonly record: RemovalRecord
  readonly log: AuditForRetention
  readonly signal: AbortSignal | undefined
}

const batchSize = 1_000
const readEnds = 'SELECT MIN(seq) AS first, MAX(seq) AS last FROM audit'
const readOne = 'SELECT at, hash FROM audit WHERE seq = ?'
const removeUpTo = 'DELETE FROM audit WHERE seq <= ?'

/**
 * Removes the beginning of the chain up to an anchor: only what is intact, and
 * with a record that lets the rest be verified as before.
 */
export async function removeAudit(
  database: Database,
  rule: RetentionRule,
  { record, log, signal }: AuditPass,
): Promise<number> {
  const [ends] = await database.read({ sql: readEnds, values: [] })
  const first = Number(ends?.['first'] ?? 1)
  const last = Number(ends?.['last'] ?? 0)
  const anchors = await log.anchors()
  const seqs = anchors
    .map(({ seq }) => seq)
    // The last one stays, so that the next has something to follow.
    .filter((seq) => seq >= first && seq < last)
    .sort((one, other) => one - other)
  const { maxRows = Infinity, maxAgeMs } = rule
  const isByAge = maxAgeMs !== undefined
  const byAge = isByAge
    ? await lastOlderThan(database, seqs, record.olderThan)
    : undefined
  const byCount = seqs.findLast((seq) => seq <= last - maxRows)
  const target = Math.max(byAge ?? 0, byCount ?? 0)
  if (target === 0) return 0
  await checkUpTo(database, target, { anchors, log })
  for (let from = first; from <= target; from += batchSize) {
    signal?.throwIfAborted()
    const upTo = Math.min(from + batchSize - 1, target)
    const hash = String((await readRecord(database, upTo))?.['hash'])
    log.audit.cut({ seq: upTo, hash }, [
      { sql: removeUpTo, values: [upTo] },
      recordRemoval(record, upTo - from + 1),
    ])
    await log.audit.flush()
  }
  return target - first + 1
}

/** The newest anchored record that is old enough; they are in order. */
async function lastOlderThan(
  database: Database,
  seqs: readonly number[],
  time: number,
): Promise<number | undefined> {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    const record = await readRecord(database, seqs[middle] ?? 0)
    const isOld = record !== undefined && Number(record['at']) < time
    if (isOld) low = middle + 1
    else high = middle
  }
  return seqs[low - 1]
}

async function readRecord(database: Database, seq: number) {
  const [row] = await database.read({ sql: readOne, values: [seq] })
  return row
}

async function checkUpTo(
  database: Database,
  upTo: number,
  { anchors, log }: { anchors: readonly AuditHead[]; log: AuditForRetention },
): Promise<void> {
  const { key, keyedFrom } = log
  const { problem } = await verifyAudit(
    { database },
    {
      anchors,
      upTo,
      ...(key !== undefined && { key }),
      ...(keyedFrom !== undefined && { keyedFrom }),
    },
  )
  if (problem === undefined) return
  const message = `The beginning of the audit log is not removed: it is not intact. ${problem.message}`
  throw new StoreError('corrupt', message)
}

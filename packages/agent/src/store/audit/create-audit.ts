import type { MaybePromise } from 'hookline'
import type { Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { type Batch, BatchWriter } from '../runs/batch-writer.ts'
import { StoreError } from '../store-error.ts'
import { Anchoring } from './anchoring.ts'
import { AuditChain } from './audit-chain.ts'
import { type AuditEntry, type PendingEntry, toPending } from './audit-entry.ts'
import {
  type AuditHead,
  auditKinds,
  deriveAuditKeys,
  linkBody,
} from './audit-record.ts'

export interface AuditOptions {
  /** Signs every record, and stands in for what must not be guessed. */
  readonly key?: string
  /**
   * Writes the end of the chain down in a second place. Only what was written
   * there cannot be cut off or rewritten unnoticed.
   */
  readonly anchor?: (head: AuditHead) => MaybePromise<void>
  /** After how many records at the latest. Default: 1000. */
  readonly anchorEvery?: number
  /** After which time at the latest. Default: a minute. */
  readonly anchorMs?: number
  /** Whether whoever records something must be told if it cannot be kept. */
  readonly isRequired?: boolean
  /** How many entries wait while the database is away. Default: 10 000. */
  readonly maxWaiting?: number
  /** How long entries may wait for others. Default: 50. */
  readonly patienceMs?: number
}

/** The log that nobody can change unnoticed. */
export interface Audit {
  /**
   * Adds an entry. It waits if the database is away. When there is no more
   * room it throws `unavailable` if the log is required; else it is lost, and
   * a record tells how many were.
   */
  record(entry: AuditEntry): void
  /**
   * Records that the chain now begins behind this record, together with the
   * statements that make it so. For retention.
   */
  cut(last: AuditHead, statements: readonly Statement[]): void
  /** Whether an entry would be kept. */
  readonly hasRoom: boolean
  /** Settles when all entries so far are on the disk; rejects if they cannot be. */
  flush(): Promise<void>
  /** Writes what is left, and the anchor. */
  close(): Promise<void>
}

const maxBatch = 256

export function createAudit(
  parts: StoreParts,
  options: AuditOptions = {},
): Audit {
  const { key, isRequired = false, maxWaiting = 10_000 } = options
  const keys = key === undefined ? undefined : deriveAuditKeys(key)
  const chain = new AuditChain(parts.database, keys)

  /** What was last to be written, with what is said of losses. */
  let last: Pick<Batch<PendingEntry>, 'items'> & {
    readonly entries: readonly PendingEntry[]
  } = { items: [], entries: [] }

  const write = async ({ items, lost, isPatient }: Batch<PendingEntry>) => {
    if (last.items !== items) {
      const gap = { kind: auditKinds.gap, body: { lost } }
      const told = lost > 0 ? [toPending(gap, parts, keys)] : []
      last = { items, entries: [...items, ...told] }
    }
    const { entries } = last
    // The very same entries again, after a failure: the chain knows them.
    const head = await chain.append(entries, isPatient)
    anchoring.appended(head, entries.length)
  }

  const writer = new BatchWriter<PendingEntry>({
    clock: parts.clock,
    name: 'audit entries',
    write,
    maxWaiting,
    maxBatch,
    patienceMs: options.patienceMs ?? 50,
  })

  const add = (entry: PendingEntry) => {
    if (writer.add(entry) || !isRequired) return
    const message = `The audit log is required and cannot take "${entry.kind}": the database is away. Try again later.`
    throw new StoreError('unavailable', message)
  }

  const anchoring = new Anchoring({
    clock: parts.clock,
    anchor: options.anchor,
    everyRecords: options.anchorEvery ?? 1_000,
    everyMs: options.anchorMs ?? 60_000,
    onFailure(reason) {
      const entry = { kind: auditKinds.anchorFailed, body: { reason } }
      if (!writer.isFull) add(toPending(entry, parts, keys))
    },
  })

  return {
    record: (entry) => add(toPending(entry, parts, keys)),
    cut(last, also) {
      const kind = auditKinds.removed
      // Not redacted: it has to be read again as it is.
      add({ ...toPending({ kind }, parts, keys), body: linkBody(last), also })
    },
    get hasRoom() {
      return !writer.isFull
    },
    flush: () => writer.flush(),
    async close() {
      try {
        await writer.close()
      } finally {
        await anchoring.close()
      }
    },
  }
}

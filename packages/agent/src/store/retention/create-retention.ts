import type { Timer } from 'hookline'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { giveBack } from './give-back.ts'
import { removers } from './kinds.ts'
import type { AuditForRetention } from './remove-audit.ts'
import {
  checkRules,
  defaultRules,
  type RetentionKind,
  type RetentionRules,
} from './rules.ts'

export interface RetentionOptions {
  /** Where removals are told; needed to remove anything of it. */
  readonly audit?: AuditForRetention
  /** Hears of a pass that `start` began and that failed. */
  readonly onError?: (error: unknown) => void
}

/** Removes what was kept long enough. */
export interface Retention {
  /** Goes through all rules once; gives how many rows were removed of each. */
  run(signal?: AbortSignal): Promise<RemovedRows>
  /** Does so now, and again and again with a pause between. */
  start(everyMs: number): void
  close(): Promise<void>
}

export type RemovedRows = Readonly<Partial<Record<RetentionKind, number>>>

/**
 * Works in small units that let others go first. The space is used again by
 * the database itself: in Postgres by autovacuum; of a SQLite file most free
 * pages are given back to the disk.
 */
export function createRetention(
  parts: StoreParts,
  given: RetentionRules,
  options: RetentionOptions = {},
): Retention {
  const { audit, onError = () => {} } = options
  const rules = { ...defaultRules, ...given }
  checkRules(rules)
  if (rules.audit !== undefined && audit === undefined) {
    const message = 'To remove audit records, retention needs the audit log.'
    throw new StoreError('invalid-options', message)
  }
  const { database, clock, nextId } = parts
  const closing = new AbortController()
  let timer: Timer | undefined
  let running: Promise<void> | undefined

  async function run(signal?: AbortSignal): Promise<RemovedRows> {
    const removed: Partial<Record<RetentionKind, number>> = {}
    for (const remover of removers) {
      const { kind } = remover
      const rule = rules[kind]
      if (rule === undefined) continue
      signal?.throwIfAborted()
      const olderThan = await remover.cutoff(database, rule)
      if (olderThan === undefined) continue
      const record = { id: nextId(), kind, olderThan }
      const pass = { database, rule, record, audit, signal }
      const rows = await remover.remove(pass)
      if (rows === 0) continue
      removed[kind] = rows
      const body = { kind, rows, olderThan }
      audit?.audit.record({ kind: 'retention.removed', body })
    }
    await giveBack(database, signal)
    return removed
  }

  async function runAndWait(everyMs: number): Promise<void> {
    try {
      await run(closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) onError(error)
    }
    if (closing.signal.aborted) return
    timer = clock.after(everyMs, () => {
      running = runAndWait(everyMs)
    })
    timer.hold(false)
  }

  return {
    run,
    start(everyMs) {
      running ??= runAndWait(everyMs)
    },
    async close() {
      closing.abort()
      timer?.stop()
      await running
    },
  }
}

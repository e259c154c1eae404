import type { LateNote } from 'hookline'
import type { SqlValue, Statement } from '../database.ts'
import type { PendingRun, RunRows } from './run-row.ts'
import type { RunEnd } from './run-start.ts'
import { keepEarlierAttempt, noteLate, writeRuns } from './run-statements.ts'

export type Pending = PendingRun | PendingLate

/** A run that had ended was heard of again. */
interface PendingLate {
  readonly type: 'late'
  readonly id: string
  readonly late: LateNote
}

/** The statements that write these, in their order. */
export function unitOf(
  items: readonly Pending[],
  rows: RunRows,
  begun: BegunRuns,
): Statement[] {
  const statements: Statement[] = []
  const seen = new Set<string>()
  let values: SqlValue[] = []
  const finish = () => {
    statements.push(...writeRuns(values))
    seen.clear()
    values = []
  }
  for (const item of items) {
    const { id } = item
    // A statement cannot write a row twice: what comes again comes after it.
    if (seen.has(id)) finish()
    if (item.type === 'late') {
      statements.push(noteLate(id, item.late.settled, item.late.latencyMs))
      continue
    }
    const { end } = item
    if (end !== undefined && begun.isEndedBy(item, end)) {
      const isPlain = begun.isWhole(id) && hasLittleToSay(item, end)
      statements.push(
        isPlain ? rows.endPlainly(item, end) : rows.end(item, end),
      )
      continue
    }
    const attempt = attemptOf(item)
    if (attempt > 1) statements.push(keepEarlierAttempt(id, attempt))
    rows.add(item, values)
    seen.add(id)
  }
  finish()
  return statements
}

/** Nothing but how it ended, how long it took, and what it answered. */
function hasLittleToSay({ late, said }: PendingRun, end: RunEnd): boolean {
  return (
    said === undefined &&
    end.reason === undefined &&
    end.failure === undefined &&
    end.note === undefined &&
    end.policy === undefined &&
    end.inside === undefined &&
    late === undefined &&
    (end.contributions === undefined || end.contributions.length === 0) &&
    (end.diagnostics === undefined || end.diagnostics.length === 0)
  )
}

function attemptOf({ end, start }: PendingRun): number {
  return (end ?? start)?.attempt ?? 1
}

interface Begun {
  readonly attempt: number
  /** Its start knew all that does not change. */
  readonly isWhole: boolean
}

/** Runs whose start is written and whose end is not. */
export class BegunRuns {
  readonly #runs = new Map<string, Begun>()

  isEndedBy({ id, start }: PendingRun, { attempt }: RunEnd): boolean {
    return start === undefined && this.#runs.get(id)?.attempt === attempt
  }

  isWhole(id: string): boolean {
    return this.#runs.get(id)?.isWhole ?? false
  }

  written(items: readonly Pending[]): void {
    for (const item of items) {
      if (item.type === 'late') continue
      const { id, start, end } = item
      if (start === undefined || end !== undefined) {
        this.#runs.delete(id)
      } else {
        const isWhole = start.handler !== undefined
        this.#runs.set(id, { attempt: attemptOf(item), isWhole })
      }
    }
  }

  forget(id: string): void {
    this.#runs.delete(id)
  }
}

import type { Dialect } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { maxFigured } from './hook-figures.ts'
import { runsBy } from './runs-by.ts'
import { number, text } from './stored-run.ts'

export interface HistoryOptions {
  readonly hook: string
  /** Begun then or later, in milliseconds since 1970. */
  readonly since: number
  /** Begun before. */
  readonly until: number
  /** How many spans of the same length that time is cut into; at most 200. */
  readonly spans: number
}

/** How a hook did, span by span; over as many runs as its figures are. */
export interface HookHistory {
  /** Those with a run, the oldest first. */
  readonly spans: readonly HookSpan[]
  /** Why it gave no valid answer, the most frequent first. */
  readonly causes: readonly FailureCause[]
}

interface HookSpan {
  /** When it begins. */
  readonly at: number
  readonly count: number
  readonly failures: number
  readonly timeouts: number
  readonly skipped: number
  readonly failedOpen: number
  /** Of the runs that ran to their end; none without one. */
  readonly p50: number | undefined
  readonly p90: number | undefined
  readonly p99: number | undefined
}

interface FailureCause {
  /** As `threw`; `unavailable`: it never ran; `quarantined`: its breaker was open. */
  readonly code: string
  readonly count: number
  readonly lastAt: number
}

const maxSpans = 200
const maxCauses = 50

const newest = (dialect: Dialect, columns: string) =>
  `SELECT ${columns} FROM ${runsBy('runs_by_hook', dialect)}
  WHERE hook = ? AND started_at >= ? AND started_at < ?
  ORDER BY started_at DESC LIMIT ${maxFigured}`

const sumOf = (condition: string) =>
  `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`

// The nearest rank, within a span.
const rank = (percent: number) =>
  `MIN(CASE WHEN place * 100 >= ran * ${percent} THEN latency_ms END)`

export const hookSpansSql = (dialect: Dialect) => `WITH newest AS (
  ${newest(dialect, 'started_at, state, failed_open, latency_ms')}
), spanned AS (
  SELECT (started_at - CAST(? AS BIGINT)) / CAST(? AS BIGINT) AS span,
    state, failed_open,
    CASE WHEN state IN ('completed', 'failed', 'timed_out')
      THEN latency_ms END AS latency_ms
  FROM newest
), ranked AS (
  SELECT span, state, failed_open, latency_ms,
    CASE WHEN latency_ms IS NOT NULL THEN ROW_NUMBER() OVER (
      PARTITION BY span, CASE WHEN latency_ms IS NULL THEN 1 ELSE 0 END
      ORDER BY latency_ms) END AS place,
    COUNT(latency_ms) OVER (PARTITION BY span) AS ran
  FROM spanned
)
SELECT span, COUNT(*) AS count, ${sumOf("state = 'failed'")} AS failures,
  ${sumOf("state = 'timed_out'")} AS timeouts,
  ${sumOf("state = 'skipped'")} AS skipped, SUM(failed_open) AS failed_open,
  ${rank(50)} AS p50, ${rank(90)} AS p90, ${rank(99)} AS p99
FROM ranked GROUP BY span ORDER BY span`

export const failureCausesSql = (dialect: Dialect) => `WITH newest AS (
  ${newest(dialect, 'started_at, failure_code')}
)
SELECT failure_code, COUNT(*) AS count, MAX(started_at) AS last_at
FROM newest WHERE failure_code IS NOT NULL
GROUP BY failure_code ORDER BY count DESC, failure_code LIMIT ${maxCauses}`

export async function hookHistory(
  { database }: Pick<StoreParts, 'database'>,
  { hook, since, until, spans }: HistoryOptions,
): Promise<HookHistory> {
  const start = Math.floor(since)
  const end = Math.ceil(until)
  if (
    !Number.isInteger(spans) ||
    spans < 1 ||
    spans > maxSpans ||
    end <= start
  ) {
    const message = `A time that begins before it ends is cut into 1 to ${maxSpans} spans, not ${spans}.`
    throw new StoreError('invalid-options', message)
  }
  const width = Math.max(1, Math.ceil((end - start) / spans))
  const range = [hook, start, end]
  const { dialect } = database
  const [rows, causes] = await Promise.all([
    database.read({
      sql: hookSpansSql(dialect),
      values: [...range, start, width],
    }),
    database.read({ sql: failureCausesSql(dialect), values: range }),
  ])
  return {
    spans: rows.map((row) => ({
      at: start + Number(row['span']) * width,
      count: Number(row['count']),
      failures: Number(row['failures']),
      timeouts: Number(row['timeouts']),
      skipped: Number(row['skipped']),
      failedOpen: Number(row['failed_open']),
      p50: number(row['p50']),
      p90: number(row['p90']),
      p99: number(row['p99']),
    })),
    causes: causes.map((row) => ({
      code: text(row['failure_code']) ?? '',
      count: Number(row['count']),
      lastAt: Number(row['last_at']),
    })),
  }
}

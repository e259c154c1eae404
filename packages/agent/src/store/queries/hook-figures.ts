import type { Dialect } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { runsBy } from './runs-by.ts'
import { number } from './stored-run.ts'

export interface FiguresOptions {
  readonly hook: string
  /** Begun then or later, in milliseconds since 1970. */
  readonly since?: number
  /** Begun before. */
  readonly until?: number
}

/** How a hook has done, over the newest runs of a time. */
export interface HookFigures {
  readonly hook: string
  /** Runs that were looked at. */
  readonly count: number
  /** There were more, older ones in that time. */
  readonly isCut: boolean
  readonly failures: number
  readonly timeouts: number
  readonly skipped: number
  readonly failedOpen: number
  /** Of the runs that ran to their end, in milliseconds; none without one. */
  readonly latency: Latency | undefined
}

export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** How many runs are looked at, so that the work is bounded. */
export const maxFigured = 10_000

// The nearest rank: the smallest latency that this share did not exceed.
const rank = (percent: number) =>
  `MIN(CASE WHEN place * 100 >= ran * ${percent} THEN latency_ms END)`

export const hookFiguresSql = (dialect: Dialect) => `WITH newest AS (
  SELECT state, failed_open, latency_ms FROM ${runsBy('runs_by_hook', dialect)}
  WHERE hook = ? AND started_at >= ? AND started_at < ?
  ORDER BY started_at DESC LIMIT ${maxFigured + 1}
), ranked AS (
  SELECT latency_ms, ROW_NUMBER() OVER (ORDER BY latency_ms) AS place,
    COUNT(*) OVER () AS ran
  FROM newest WHERE state IN ('completed', 'failed', 'timed_out')
    AND latency_ms IS NOT NULL
)
SELECT counted.*, latencies.* FROM (
  SELECT COUNT(*) AS count,
    SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS failures,
    SUM(CASE WHEN state = 'timed_out' THEN 1 ELSE 0 END) AS timeouts,
    SUM(CASE WHEN state = 'skipped' THEN 1 ELSE 0 END) AS skipped,
    SUM(failed_open) AS failed_open
  FROM newest
) AS counted CROSS JOIN (
  SELECT ${rank(50)} AS p50, ${rank(90)} AS p90, ${rank(99)} AS p99,
    MAX(latency_ms) AS max
  FROM ranked
) AS latencies`

export async function hookFigures(
  { database }: Pick<StoreParts, 'database'>,
  { hook, since = 0, until = Number.MAX_SAFE_INTEGER }: FiguresOptions,
): Promise<HookFigures> {
  const values = [hook, Math.ceil(since), Math.ceil(until)]
  const sql = hookFiguresSql(database.dialect)
  const [row = {}] = await database.read({ sql, values })
  const count = Number(row['count'])
  const p50 = number(row['p50'])
  return {
    hook,
    count: Math.min(count, maxFigured),
    isCut: count > maxFigured,
    failures: Number(row['failures']),
    timeouts: Number(row['timeouts']),
    skipped: Number(row['skipped']),
    failedOpen: Number(row['failed_open']),
    latency:
      p50 === undefined
        ? undefined
        : {
            p50,
            p90: Number(row['p90']),
            p99: Number(row['p99']),
            max: Number(row['max']),
          },
  }
}

// From one name to the next by the index, without reading what is between.
export const hookNamesSql = `WITH RECURSIVE names (hook, place) AS (
  SELECT MIN(hook), 1 FROM runs WHERE hook > ?
  UNION ALL
  SELECT (SELECT MIN(runs.hook) FROM runs WHERE runs.hook > names.hook),
    place + 1
  FROM names WHERE names.hook IS NOT NULL AND place < 1000
)
SELECT hook FROM names WHERE hook IS NOT NULL ORDER BY place`

/** The hooks that have runs, in order; the thousand that follow `after`. */
export async function listHookNames(
  { database }: Pick<StoreParts, 'database'>,
  after = '',
): Promise<readonly string[]> {
  const rows = await database.read({ sql: hookNamesSql, values: [after] })
  return rows.map((row) => String(row['hook']))
}

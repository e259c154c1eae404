import type { Dialect, Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { number } from './stored-run.ts'

export interface UsageOptions {
  readonly by: 'agent' | 'session' | 'day'
  /** Turns begun then or later, in milliseconds since 1970. */
  readonly since: number
  /** Begun before. */
  readonly until: number
  /** Only turns of that agent. */
  readonly agent?: string
  /** How far the days of whoever asks are ahead of UTC. */
  readonly offsetMs?: number
}

/** What turns have used. */
interface Usage {
  /** The name of the agent, the id of the session, or the beginning of the day. */
  readonly key: string
  readonly turns: number
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** By the prices of models; undefined where none of them has one. */
  readonly cost: number | undefined
  /** Turns that ended without a cost, as their model has no price. */
  readonly unpriced: number
  readonly lastAt: number
}

export interface UsageFigures {
  /** Days in their order; all else by tokens, the most first; at most 400. */
  readonly items: readonly Usage[]
  /** There were more turns than are looked at, all older. */
  readonly isCut: boolean
}

const maxTurns = 20_000
const maxItems = 400
const dayMs = 86_400_000

const turnsByTime = (dialect: Dialect) =>
  dialect === 'sqlite' ? 'turns INDEXED BY turns_by_time' : 'turns'

const tokens = 'SUM(COALESCE(input_tokens, 0) + COALESCE(output_tokens, 0))'

const keys = {
  agent: 'agent',
  session: 'session_id',
  day: `CAST((started_at + CAST(? AS BIGINT)) / ${dayMs} AS TEXT)`,
} as const

/**
 * A turn has in its own figures what sub-agents did for it while it waited, so
 * these are left out; tasks that nobody waits for count by themselves.
 */
export const usageFiguresSql = (
  dialect: Dialect,
  by: UsageOptions['by'],
) => `WITH newest AS (
  SELECT * FROM ${turnsByTime(dialect)}
  WHERE started_at >= ? AND started_at < ?
  ORDER BY started_at DESC LIMIT ${maxTurns}
), counted AS (
  SELECT * FROM newest
  WHERE agent = COALESCE(CAST(? AS TEXT), agent) AND COALESCE((
    SELECT CASE WHEN parent_id IS NOT NULL AND task IS NULL THEN 1 END
    FROM sessions WHERE sessions.id = newest.session_id
  ), 0) = 0
)
SELECT ${keys[by]} AS key, COUNT(*) AS turns,
  SUM(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed,
  SUM(COALESCE(input_tokens, 0)) AS input_tokens,
  SUM(COALESCE(output_tokens, 0)) AS output_tokens, SUM(cost) AS cost,
  SUM(CASE WHEN ended_at IS NOT NULL AND cost IS NULL
    AND COALESCE(output_tokens, 0) > 0 THEN 1 ELSE 0 END) AS unpriced,
  MAX(started_at) AS last_at, (SELECT COUNT(*) FROM newest) AS looked
FROM counted GROUP BY 1
ORDER BY ${by === 'day' ? 'last_at' : tokens} DESC LIMIT ${maxItems}`

export async function usageFigures(
  { database }: Pick<StoreParts, 'database'>,
  { by, since, until, agent, offsetMs = 0 }: UsageOptions,
): Promise<UsageFigures> {
  const range = [Math.ceil(since), Math.ceil(until), agent ?? null]
  const rows = await database.read({
    sql: usageFiguresSql(database.dialect, by),
    values: by === 'day' ? [...range, offsetMs] : range,
  })
  const items = rows.map((row) => readUsage(row, by, offsetMs))
  return {
    items: by === 'day' ? items.toReversed() : items,
    isCut: Number(rows[0]?.['looked'] ?? 0) >= maxTurns,
  }
}

function readUsage(row: Row, by: UsageOptions['by'], offsetMs: number): Usage {
  const key = String(row['key'])
  return {
    key: by === 'day' ? String(Number(key) * dayMs - offsetMs) : key,
    turns: Number(row['turns']),
    failed: Number(row['failed']),
    inputTokens: Number(row['input_tokens']),
    outputTokens: Number(row['output_tokens']),
    cost: number(row['cost']),
    unpriced: Number(row['unpriced']),
    lastAt: Number(row['last_at']),
  }
}

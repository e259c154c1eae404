import type { Visibility } from 'hookline'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { type RunCursor, type RunFilter, wantedOf } from './list-runs.ts'

export interface SkippedRuns {
  /** The last that is left out. */
  readonly place: RunCursor
  /** How many are, of those that can be seen. */
  readonly missed: number
}

export interface SkipOptions {
  /** So many of the newest are not left out. */
  readonly keep: number
  /** Default: all are seen. */
  readonly visible?: readonly Visibility[]
}

/** What is left out of all that fit, for the newest alone; undefined: nothing. */
export async function skipRuns(
  { database }: Pick<StoreParts, 'database'>,
  filter: Pick<RunFilter, 'sessionId' | 'hook' | 'point' | 'since'>,
  { keep, visible }: SkipOptions,
): Promise<SkippedRuns | undefined> {
  const wanted = wantedOf(filter)
  const keys = wanted.map(([key]) => `${key} = ? AND `).join('')
  const values = [...wanted.map(([, value]) => value), filter.since ?? 0]
  const fit = `FROM runs WHERE ${keys}started_at >= ?`
  const [last] = await database.read({
    sql: `SELECT started_at, id ${fit}
ORDER BY started_at DESC, id DESC LIMIT 1 OFFSET ?`,
    values: [...values, keep],
  })
  if (last === undefined) return undefined
  const { started_at: startedAt, id } = last as Row & PlaceRow // our own query
  const seen = visible?.map(() => '?').join()
  const isSeen = seen === undefined ? '' : ` AND visibility IN (${seen})`
  const [counted] = await database.read({
    sql: `SELECT COUNT(*) AS missed ${fit}
AND (started_at, id) <= (?, ?)${isSeen}`,
    values: [...values, startedAt, id, ...(visible ?? [])],
  })
  const missed = Number(counted?.['missed'] ?? 0)
  return { place: { startedAt: Number(startedAt), id }, missed }
}

interface PlaceRow {
  readonly started_at: number
  readonly id: string
}

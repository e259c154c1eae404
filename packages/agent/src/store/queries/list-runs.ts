import type { RunState } from 'hookline'
import type { Dialect, SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { runsBy } from './runs-by.ts'
import {
  briefRunColumns,
  readRun,
  type StoredRun,
  storedRunColumns,
} from './stored-run.ts'

/** Which runs; all that is given has to fit. */
export interface RunFilter {
  readonly sessionId?: string
  readonly hook?: string
  readonly point?: string
  readonly state?: RunState
  /** Begun then or later, in milliseconds since 1970. */
  readonly since?: number
  /** Begun before. */
  readonly until?: number
  /** Where the page before ended. */
  readonly after?: RunCursor
  /** Default: 100; at most 1000. */
  readonly limit?: number
  /** Without what they were given: that may be long. */
  readonly isBrief?: boolean
  readonly isOldestFirst?: boolean
}

/** A place between two runs. */
export interface RunCursor {
  readonly startedAt: number
  readonly id: string
}

export interface RunPage {
  /** The newest first, unless the oldest were asked for. */
  readonly runs: readonly StoredRun[]
  /**
   * Where the next page begins; undefined after the last one. A page may be
   * short, or empty, and others come all the same: so much was looked at.
   */
  readonly next: RunCursor | undefined
}

/** What has an index of its own; the first that is asked for is looked up. */
const indexes = {
  session_id: 'runs_by_session',
  hook: 'runs_by_hook',
  point: 'runs_by_point',
  state: 'runs_by_state',
} as const
type Key = keyof typeof indexes

const maxLimit = 1_000
// Later than any run, and still a whole number in both engines.
const farFuture = Number.MAX_SAFE_INTEGER

/** The text that finds runs by a key and their time. */
export function listRunsSql(
  dialect: Dialect,
  key?: Key,
  {
    isBrief = false,
    isOldestFirst = false,
  }: Pick<RunFilter, 'isBrief' | 'isOldestFirst'> = {},
): string {
  const isKey = key === undefined ? '' : `${key} = ? AND `
  const index = key === undefined ? 'runs_by_time' : indexes[key]
  const columns = isBrief ? briefRunColumns : storedRunColumns
  const [beyond, order] = isOldestFirst ? ['>', 'ASC'] : ['<', 'DESC']
  return `SELECT ${columns} FROM ${runsBy(index, dialect)}
WHERE ${isKey}started_at >= ? AND started_at <= ?
  AND (started_at, id) ${beyond} (?, ?)
ORDER BY started_at ${order}, id ${order} LIMIT ?`
}

// The order in which they are most likely to leave little to be looked at.
const keys: readonly Key[] = ['session_id', 'hook', 'point', 'state']

/** One page of the runs that fit; looks at no more than a thousand. */
export async function listRuns(
  { database }: Pick<StoreParts, 'database'>,
  filter: RunFilter = {},
): Promise<RunPage> {
  const { limit = 100 } = filter
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const message = `A page of runs has 1 to ${maxLimit} of them, not ${limit}.`
    throw new StoreError('invalid-options', message)
  }
  const wanted = wantedOf(filter)
  const [first, ...others] = wanted
  const looked = others.length > 0 ? maxLimit : limit
  const range = [...rangeOf(filter), looked]
  const rows = await database.read({
    sql: listRunsSql(database.dialect, first?.[0], filter),
    values: first === undefined ? range : [first[1], ...range],
  })
  const runs: StoredRun[] = []
  let last: RunCursor | undefined
  for (const row of rows) {
    if (runs.length === limit) break
    const run = readRun(row)
    last = { startedAt: run.startedAt, id: run.id }
    if (others.every(([key, value]) => row[key] === value)) runs.push(run)
  }
  const isEnd = rows.length < looked && last?.id === rows.at(-1)?.['id']
  return { runs, next: isEnd ? undefined : last }
}

/** From when, until when, and beyond which place. */
function rangeOf(filter: RunFilter): readonly SqlValue[] {
  const { since = 0, until = farFuture, isOldestFirst = false } = filter
  const [first, end] = [Math.ceil(since), Math.ceil(until)]
  // Every run has an id.
  const edge = { startedAt: isOldestFirst ? first : end, id: '' }
  const { startedAt, id } = filter.after ?? edge
  return isOldestFirst
    ? [startedAt, end - 1, startedAt, id]
    : [first, startedAt, startedAt, id]
}

export function wantedOf(
  filter: RunFilter,
): readonly (readonly [Key, SqlValue])[] {
  const { sessionId, hook, point, state } = filter
  const given = { session_id: sessionId, hook, point, state }
  return keys.flatMap((key) => {
    const value = given[key]
    return value === undefined ? [] : [[key, value] as const]
  })
}

const one = `SELECT ${storedRunColumns}, said FROM runs WHERE id = ?`

/** One run by its id, `dispatch/hook`. */
export async function findRun(
  { database }: Pick<StoreParts, 'database'>,
  id: string,
): Promise<StoredRun | undefined> {
  const [row] = await database.read({ sql: one, values: [id] })
  return row && readRun(row)
}

/** Those of them that there are, without what they were given. */
export async function findRuns(
  { database }: Pick<StoreParts, 'database'>,
  ids: readonly string[],
): Promise<readonly StoredRun[]> {
  if (ids.length === 0) return []
  const places = ids.map(() => '?').join()
  const sql = `SELECT ${briefRunColumns} FROM runs WHERE id IN (${places})`
  const rows = await database.read({ sql, values: ids })
  return rows.map(readRun)
}

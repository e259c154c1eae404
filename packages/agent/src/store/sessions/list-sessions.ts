import type { Row, SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'

/** A session as it is listed. Texts are as they may be shown. */
export interface ListedSession {
  readonly id: string
  readonly agent: string
  readonly cwd: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly turns: number
  /** Why it is over for good; null while it is not. */
  readonly ended: string | null
  /** The process that has it now, if one does. */
  readonly worker: string | null
}

export interface ListedTurn {
  readonly id: string
  readonly sessionId: string
  readonly number: number
  readonly agent: string
  readonly model: string | null
  readonly inputId: string | null
  /** `running`, or how it ended. */
  readonly status: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly elapsedMs: number | null
  readonly steps: number | null
  readonly toolCount: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly error: string | null
}

export interface Page<T> {
  readonly items: readonly T[]
  /** To be given as `after` for what follows; absent at the end. */
  readonly next?: string
}

export interface PageOptions {
  /** At most 1 000. Default: 50. */
  readonly limit?: number
  readonly after?: string
}

const sessionColumns = `
SELECT id, agent, cwd, created_at, updated_at, turns, ended, (
  SELECT workers.id FROM workers
  WHERE workers.id = sessions.worker AND leased_until > hookline_now()
) AS worker
FROM sessions`
const getSessionSql = `${sessionColumns} WHERE id = ?`
const listSessionsSql = `${sessionColumns}
WHERE (updated_at, id) < (?, ?) ORDER BY updated_at DESC, id DESC LIMIT ?`
const listAgentSql = `${sessionColumns}
WHERE agent = ? AND (updated_at, id) < (?, ?)
ORDER BY updated_at DESC, id DESC LIMIT ?`

const turnColumns = `
SELECT id, session_id, number, agent, model, input_id, status, started_at,
  ended_at, elapsed_ms, steps, tool_count, input_tokens, output_tokens, error
FROM turns`
const getTurnSql = `${turnColumns} WHERE id = ? AND session_id = ?`
const listTurnsSql = `${turnColumns}
WHERE session_id = ? AND (number, id) < (?, ?)
ORDER BY number DESC, id DESC LIMIT ?`

/** Sessions, the one that changed last first. */
export async function listSessions(
  { database }: StoreParts,
  options: PageOptions & { readonly agent?: string } = {},
): Promise<Page<ListedSession>> {
  const { agent } = options
  const { limit, values } = readPage(options)
  const statement =
    agent === undefined
      ? { sql: listSessionsSql, values }
      : { sql: listAgentSql, values: [agent, ...values] }
  const rows = await database.read(statement)
  return pageOf(rows, limit, sessionOf, 'updated_at')
}

export async function getSession(
  { database }: StoreParts,
  sessionId: string,
): Promise<ListedSession | undefined> {
  const statement = { sql: getSessionSql, values: [sessionId] }
  const [row] = await database.read(statement)
  return row && sessionOf(row)
}

/** The turns of a session, the newest first. */
export async function listTurns(
  { database }: StoreParts,
  sessionId: string,
  options: PageOptions = {},
): Promise<Page<ListedTurn>> {
  const { limit, values } = readPage(options)
  const statement = { sql: listTurnsSql, values: [sessionId, ...values] }
  const rows = await database.read(statement)
  return pageOf(rows, limit, turnOf, 'number')
}

export async function getTurn(
  { database }: StoreParts,
  sessionId: string,
  turnId: string,
): Promise<ListedTurn | undefined> {
  const statement = { sql: getTurnSql, values: [turnId, sessionId] }
  const [row] = await database.read(statement)
  return row && turnOf(row)
}

const maxLimit = 1_000

/** One row more than asked for tells whether there are more. */
function readPage({ limit = 50, after }: PageOptions) {
  const isLimit = Number.isInteger(limit) && limit > 0 && limit <= maxLimit
  const [, number, id] = /^(\d+):(.*)$/su.exec(after ?? '') ?? []
  if (!isLimit || (after !== undefined && number === undefined)) {
    const message = `A page has at most ${maxLimit} items, and comes after what an earlier one gave as \`next\`.`
    throw new StoreError('invalid-options', message)
  }
  // No time and no number of a turn is as large.
  const from = [Number(number ?? Number.MAX_SAFE_INTEGER), id ?? '']
  return { limit, values: [...from, limit + 1] }
}

function pageOf<T>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => T,
  by: string,
): Page<T> {
  const items = rows.slice(0, limit).map(itemOf)
  const last = rows[limit - 1]
  if (rows.length <= limit || last === undefined) return { items }
  return { items, next: `${last[by]}:${last['id']}` }
}

function sessionOf(row: Row): ListedSession {
  return {
    id: String(row['id']),
    agent: String(row['agent']),
    cwd: String(row['cwd']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    turns: Number(row['turns']),
    ended: textOf(row['ended']),
    worker: textOf(row['worker']),
  }
}

function turnOf(row: Row): ListedTurn {
  return {
    id: String(row['id']),
    sessionId: String(row['session_id']),
    number: Number(row['number']),
    agent: String(row['agent']),
    model: textOf(row['model']),
    inputId: textOf(row['input_id']),
    status: String(row['status']),
    startedAt: Number(row['started_at']),
    endedAt: numberOf(row['ended_at']),
    elapsedMs: numberOf(row['elapsed_ms']),
    steps: numberOf(row['steps']),
    toolCount: numberOf(row['tool_count']),
    inputTokens: numberOf(row['input_tokens']),
    outputTokens: numberOf(row['output_tokens']),
    error: textOf(row['error']),
  }
}

function textOf(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function numberOf(value: SqlValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}

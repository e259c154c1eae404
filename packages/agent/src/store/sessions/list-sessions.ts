import type { SessionEndReason, TurnStatus } from 'hookline/lifecycle'
import { isOpen } from '../approvals/statements.ts'
import type { Row, SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'

/** A session as it is listed. Texts are as they may be shown. */
export interface ListedSession {
  readonly id: string
  readonly agent: string
  readonly cwd: string
  /** What it was called, else its first words; null where neither is kept. */
  readonly title: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly turns: number
  /** Why it is over for good; null while it is not. */
  readonly endReason: SessionEndReason | null
  /** The process that has it now, if one does. */
  readonly worker: string | null
  /** The session that it works for, if it works for one. */
  readonly parentId: string | null
  /** Its last turn, as long as that has no end. */
  readonly openTurn: string | null
  /** People are asked whether something may run. */
  readonly isAsking: boolean
}

export interface ListedTurn {
  readonly id: string
  readonly sessionId: string
  readonly number: number
  readonly agent: string
  readonly model: string | null
  readonly inputId: string | null
  /** `running`, or how it ended. */
  readonly status: TurnStatus | 'running'
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

/** Those of one agent, or those that work for one session. */
export interface SessionPageOptions extends PageOptions {
  readonly agent?: string
  readonly parentId?: string
  /**
   * Only those for which it holds. A page may then be short, or empty, and
   * others come all the same: a thousand are looked at.
   */
  readonly isWanted?: (session: ListedSession) => boolean
}

const sessionColumns = `
SELECT id, agent, cwd, title, created_at, updated_at, turns, ended, parent_id, (
  SELECT workers.id FROM workers
  WHERE workers.id = sessions.worker AND leased_until > hookline_now()
) AS worker, (
  SELECT CASE WHEN status = 'running' THEN turns.id END FROM turns
  WHERE turns.session_id = sessions.id ORDER BY number DESC LIMIT 1
) AS open_turn, (
  SELECT approvals.id FROM approvals
  WHERE approvals.session_id = sessions.id AND ${isOpen} LIMIT 1
) AS asks
FROM sessions`
const getSessionSql = `${sessionColumns} WHERE id = ?`
const listSessionsSql = `${sessionColumns}
WHERE (updated_at, id) < (?, ?) ORDER BY updated_at DESC, id DESC LIMIT ?`
const listAgentSql = `${sessionColumns}
WHERE agent = ? AND (updated_at, id) < (?, ?)
ORDER BY updated_at DESC, id DESC LIMIT ?`

const listChildrenSql = `${sessionColumns}
WHERE parent_id = ? AND (updated_at, id) < (?, ?)
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
  options: SessionPageOptions = {},
): Promise<Page<ListedSession>> {
  const { isWanted } = options
  const { limit, values } = readPage(options)
  if (isWanted === undefined) {
    const rows = await database.read(pageStatement(options, values))
    return pageOf(rows, limit, sessionOf, 'updated_at')
  }
  const looked = [...values.slice(0, -1), maxLimit]
  const rows = await database.read(pageStatement(options, looked))
  const items: ListedSession[] = []
  for (const [at, row] of rows.entries()) {
    const session = sessionOf(row)
    if (isWanted(session)) items.push(session)
    const isLast = items.length === limit || at === maxLimit - 1
    if (isLast && (at < rows.length - 1 || rows.length === maxLimit)) {
      return { items, next: `${row['updated_at']}:${row['id']}` }
    }
    if (isLast) break
  }
  return { items }
}

function pageStatement(
  { agent, parentId }: SessionPageOptions,
  values: readonly SqlValue[],
) {
  if (parentId !== undefined) {
    return { sql: listChildrenSql, values: [parentId, ...values] }
  }
  return agent === undefined
    ? { sql: listSessionsSql, values }
    : { sql: listAgentSql, values: [agent, ...values] }
}

/** The session at the top of those that one works for; it can be itself. */
export async function topOf(parts: StoreParts, id: string): Promise<string> {
  const { parentId = null } = (await getSession(parts, id)) ?? {}
  return parentId === null ? id : topOf(parts, parentId)
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
    title: textOf(row['title']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    turns: Number(row['turns']),
    // Only the end of a session writes there.
    endReason: textOf(row['ended']) as SessionEndReason | null,
    worker: textOf(row['worker']),
    parentId: textOf(row['parent_id']),
    openTurn: textOf(row['open_turn']),
    isAsking: textOf(row['asks']) !== null,
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
    // What begins and ends turns writes no other words.
    status: String(row['status']) as ListedTurn['status'],
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

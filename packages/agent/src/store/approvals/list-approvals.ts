import type { Row, Statement } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { Approval } from './approval.ts'
import { approvalOf, isGenuine, readRow } from './approval-row.ts'
import { type Desk, readPayload, tampered } from './desk.ts'
import { countOpen, listAnswered, type PageOf } from './statements.ts'

export interface PageOptions {
  /** The `next` of the page before. */
  readonly after?: string
  /** Default: 50, and at most 200. */
  readonly limit?: number
  readonly sessionId?: string
}

/** One page of a list that may be of any length. */
export interface ApprovalPage {
  readonly items: readonly Approval[]
  /** Where the next page begins; absent on the last. */
  readonly next?: string
}

/** Reads, and answers nothing. What was tampered with is left out. */
export async function listApprovals(
  { parts, macs, settings }: Desk,
  list: (of: PageOf) => Statement,
  options: PageOptions = {},
): Promise<ApprovalPage> {
  const of = readPage(options)
  const rows = await parts.database.read(list(of))
  const items = rows.map(readRow).flatMap((row) => {
    if (isGenuine(row, macs, undefined)) return [approvalOf(row)]
    settings.alarm(tampered('approvals', row.id))
    return []
  })
  return { items, ...nextPage(rows, of) }
}

/** The history: what was answered, expired or became void, the newest first. */
export async function listAnsweredApprovals(
  { parts, macs, settings }: Desk,
  options: PageOptions = {},
): Promise<ApprovalPage> {
  const { after, limit, sessionId } = readPage(options)
  const [, askedAt, id = ''] = /^(\d+):(.*)$/su.exec(after) ?? []
  if (after !== '' && askedAt === undefined) {
    const message =
      'A page comes after what an earlier one gave as `next`, and nothing else.'
    throw new StoreError('invalid-options', message)
  }
  const from = { askedAt: Number(askedAt ?? Number.MAX_SAFE_INTEGER), id }
  // One more than asked for tells whether there are more.
  const wanted = listAnswered({ ...from, limit: limit + 1, sessionId })
  const rows = (await parts.database.read(wanted)).map(readRow)
  const items = rows.slice(0, limit).flatMap((row) => {
    const payload = readPayload(parts, row)
    const isTrue =
      payload !== 'unreadable' && isGenuine(row, macs, payload?.edit)
    if (isTrue) return [approvalOf(row)]
    settings.alarm(tampered('approvals', row.id))
    return []
  })
  const last = rows[limit - 1]
  if (rows.length <= limit || last === undefined) return { items }
  return { items, next: `${last.asked_at}:${last.id}` }
}

/** More than these nobody counts. */
const mostCounted = 1_000

/** How many can be answered, as far as anybody counts them. */
export async function countApprovals(
  { parts }: Desk,
  sessionId?: string,
): Promise<number> {
  const statement = countOpen(mostCounted, sessionId)
  const [row] = await parts.database.read(statement)
  return Number(row?.['count'] ?? 0)
}

const defaultLimit = 50
const maxLimit = 200

export function readPage(options: PageOptions): PageOf {
  const { after = '', limit = defaultLimit, sessionId } = options
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) {
    return { after, limit, ...(sessionId !== undefined && { sessionId }) }
  }
  const message = `The \`limit\` of a page is not a whole number from 1 to ${maxLimit}.`
  throw new StoreError('invalid-options', message)
}

export function nextPage(
  rows: readonly Row[],
  { limit }: PageOf,
): { readonly next?: string } {
  const last = rows.at(-1)
  return rows.length < limit || last === undefined
    ? {}
    : { next: String(last['id']) }
}

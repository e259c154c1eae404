import type { Row, Statement } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { Approval } from './approval.ts'
import { approvalOf, isGenuine, readRow } from './approval-row.ts'
import { type Desk, tampered } from './desk.ts'
import type { PageOf } from './statements.ts'

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

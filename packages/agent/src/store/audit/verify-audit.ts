import type { StoreParts } from '../parts.ts'
import {
  type AuditHead,
  type AuditRecord,
  auditColumns,
  deriveAuditKeys,
  readAuditRecord,
} from './audit-record.ts'
import type { AuditReport } from './audit-report.ts'
import { ChainCheck } from './chain-check.ts'

export interface VerifyOptions {
  /** The key the chain was written with: then every record must be signed. */
  readonly key?: string
  /** The first record that has to be signed. Default: all. */
  readonly keyedFrom?: number
  /** What was written down in the second place. */
  readonly anchors?: AsyncIterable<AuditHead> | Iterable<AuditHead>
  /** Look at records up to this one only. */
  readonly upTo?: number
}

type Source =
  | Pick<StoreParts, 'database'>
  | AsyncIterable<AuditRecord>
  | Iterable<AuditRecord>

/** Reads a chain once, from its beginning, and says up to where it is whole. */
export async function verifyAudit(
  source: Source,
  options: VerifyOptions = {},
): Promise<AuditReport> {
  const { key, keyedFrom = 1, upTo = Infinity } = options
  const anchors: AuditHead[] = []
  for await (const anchor of options.anchors ?? []) anchors.push(anchor)
  const check = new ChainCheck({
    anchors: anchors.filter(({ seq }) => seq <= upTo),
    sign: key === undefined ? undefined : deriveAuditKeys(key).sign,
    keyedFrom,
  })
  for await (const page of pagesOf(source)) {
    const wanted = page.filter(({ seq }) => seq <= upTo)
    if (!check.page(wanted) || wanted.length < page.length) break
  }
  return check.report(upTo < Infinity)
}

const pageSize = 2_000

async function* pagesOf(source: Source): AsyncGenerator<AuditRecord[]> {
  if ('database' in source) {
    yield* storedPages(source)
    return
  }
  let page: AuditRecord[] = []
  for await (const record of source) {
    page.push(record)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
}

const readPage = `SELECT ${auditColumns.join(', ')} FROM audit
WHERE seq > ? ORDER BY seq LIMIT ${pageSize}`

async function* storedPages({
  database,
}: Pick<StoreParts, 'database'>): AsyncGenerator<AuditRecord[]> {
  const readAfter = (seq: number) =>
    database.read({ sql: readPage, values: [seq] })
  let next = readAfter(0)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    // The next page is read while this one is being checked.
    next = readAfter(Number(last['seq']))
    next.catch(() => {})
    yield rows.map(readAuditRecord)
  }
}

/** Every record that is kept, the oldest first; in pages, so never all at once. */
export async function* readAudit(
  parts: Pick<StoreParts, 'database'>,
): AsyncGenerator<AuditRecord> {
  for await (const page of storedPages(parts)) yield* page
}

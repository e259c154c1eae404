import type { Database, Statement } from '../database.ts'
import { rowStatements } from '../runs/row-statements.ts'
import { StoreError } from '../store-error.ts'
import type { PendingEntry } from './audit-entry.ts'
import {
  type AuditHead,
  type AuditKeys,
  type AuditRecord,
  auditColumns,
  auditKinds,
  hashBroken,
  hashRecord,
  noHead,
  readAuditRecord,
} from './audit-record.ts'

const columns = auditColumns.join(', ')

// The number is the primary key: of two who write the next record, one wins.
const insert = rowStatements('INSERT INTO audit', auditColumns)

const readEnd = `SELECT ${columns} FROM audit ORDER BY seq DESC LIMIT 2`
const readOne = `SELECT ${columns} FROM audit WHERE seq = ?`

const maxTries = 100

interface Tried {
  readonly entries: readonly PendingEntry[]
  readonly head: AuditHead
}

/** The end of the chain, which other processes write to as well. */
export class AuditChain {
  readonly #database: Database
  readonly #keys: AuditKeys | undefined
  #head: AuditHead | undefined
  /** What is to be said first: that the last record was found broken. */
  #found: AuditRecord | undefined
  /** Written, perhaps: the answer was lost. */
  #tried: Tried | undefined

  constructor(database: Database, keys: AuditKeys | undefined) {
    this.#database = database
    this.#keys = keys
  }

  /** Adds entries, all or none, behind whatever is the last record by then. */
  async append(
    entries: readonly PendingEntry[],
    isPatient: boolean,
  ): Promise<AuditHead> {
    let conflict: unknown
    for (let tries = 0; tries < maxTries; tries++) {
      const known = await this.#resolve(entries)
      if (known !== undefined) return known
      this.#head ??= await this.#readHead()
      const records = this.#link(entries, this.#head)
      const head = records.at(-1) ?? this.#head
      this.#tried = { entries, head }
      try {
        await this.#write(records, entries, isPatient)
      } catch (error) {
        if (!isConflict(error)) throw error
        conflict = error
        this.#tried = undefined
        this.#head = undefined
        continue
      }
      return this.#moveTo(head)
    }
    const message = 'Others append to the audit log all the time; try again.'
    throw new StoreError('busy', message, conflict)
  }

  #moveTo({ seq, hash }: AuditHead): AuditHead {
    this.#head = { seq, hash }
    this.#found = undefined
    this.#tried = undefined
    return this.#head
  }

  /** The same entries again: perhaps they were written, and nobody heard. */
  async #resolve(
    entries: readonly PendingEntry[],
  ): Promise<AuditHead | undefined> {
    const tried = this.#tried
    if (tried === undefined) return undefined
    const values = [tried.head.seq]
    const [row] = await this.#database.read({ sql: readOne, values })
    const isThere = row?.['hash'] === tried.head.hash
    if (!isThere) {
      this.#tried = undefined
      return undefined
    }
    const head = this.#moveTo(tried.head)
    return tried.entries === entries ? head : undefined
  }

  async #readHead(): Promise<AuditHead> {
    const rows = await this.#database.read({ sql: readEnd, values: [] })
    const [last, before] = rows.map(readAuditRecord)
    this.#found = undefined
    if (last === undefined) return noHead
    const isWhole =
      last.hash === hashRecord(last.previous, last) &&
      (before === undefined || follows(last, before))
    if (isWhole) return last
    this.#found = last
    return { seq: last.seq, hash: hashBroken(last) }
  }

  #link(
    entries: readonly PendingEntry[],
    head: AuditHead,
  ): readonly AuditRecord[] {
    const records: AuditRecord[] = []
    let { seq, hash: previous } = head
    const add = (entry: Omit<PendingEntry, 'also'>) => {
      const { at, kind, actor, sessionId, body } = entry
      seq++
      const content = { seq, at, kind, actor, sessionId, body }
      const hash = hashRecord(previous, content)
      const mac = this.#keys?.sign(hash) ?? null
      records.push({ ...content, previous, hash, mac })
      previous = hash
    }
    const [first] = entries
    if (this.#found !== undefined && first !== undefined) {
      add(recoveredEntry(this.#found, first.at))
    }
    for (const entry of entries) add(entry)
    return records
  }

  async #write(
    records: readonly AuditRecord[],
    entries: readonly PendingEntry[],
    isPatient: boolean,
  ): Promise<void> {
    const values = records.flatMap((record) => {
      const { seq, at, kind, actor, sessionId, body } = record
      const { previous, hash, mac } = record
      return [seq, at, kind, actor, sessionId, body, previous, hash, mac]
    })
    const also: readonly Statement[] = entries.flatMap((entry) => entry.also)
    await this.#database.write({
      name: also.length > 0 ? 'retention.remove' : 'audit.append',
      statements: [...insert(values), ...also],
      isPatient,
    })
  }
}

/** Whether a record was written behind that one, whole or broken. */
export function follows(record: AuditRecord, before: AuditRecord): boolean {
  if (record.seq !== before.seq + 1) return false
  if (record.previous === before.hash) return true
  const isSealing = record.kind === auditKinds.recovered
  return isSealing && record.previous === hashBroken(before)
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof StoreError)) return false
  return error.code === 'exists' || error.code === 'conflict'
}

/** Seals a broken record off: what is left of it, and that it was broken. */
function recoveredEntry(
  found: AuditRecord,
  at: number,
): Omit<PendingEntry, 'also'> {
  const body = `{"broken":${found.seq}}`
  return { at, kind: auditKinds.recovered, actor: null, sessionId: null, body }
}

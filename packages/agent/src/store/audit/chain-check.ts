import { follows } from './audit-chain.ts'
import {
  type AuditHead,
  type AuditRecord,
  auditKinds,
  hashBroken,
  hashRecord,
  linkBody,
  noHead,
} from './audit-record.ts'
import type { AuditProblem, AuditReport } from './audit-report.ts'

export interface ChainCheckOptions {
  readonly anchors: readonly AuditHead[]
  readonly sign: ((hash: string) => string) | undefined
  readonly keyedFrom: number
}

/** Follows a chain record by record, up to the first thing that is wrong. */
export class ChainCheck {
  readonly #options: ChainCheckOptions
  readonly #anchors: Map<number, readonly AuditHead[]>
  readonly #recovered: number[] = []
  #from = 1
  #last: AuditRecord | undefined
  #beforeLast: AuditRecord | undefined
  /** The last record is broken; the next one may seal it off. */
  #suspicion: AuditProblem | undefined
  /** Where the chain now begins, until a record says that it may. */
  #cut: AuditHead | undefined
  #anchoredUpTo = 0
  #problem: AuditProblem | undefined

  constructor(options: ChainCheckOptions) {
    this.#options = options
    this.#anchors = Map.groupBy(options.anchors, ({ seq }) => seq)
  }

  /** Takes the next records; false once something is wrong. */
  page(records: readonly AuditRecord[]): boolean {
    for (let at = 0; at < records.length; at++) {
      const record = records[at] as AuditRecord // there are that many
      const wrong = this.#check(record, records, at)
      if (wrong === undefined) continue
      this.#problem = wrong
      return false
    }
    return true
  }

  /** `isPart`: not all of the chain was to be looked at. */
  report(isPart: boolean): AuditReport {
    const problem = this.#problem ?? this.#suspicion ?? this.#atEnd(isPart)
    return {
      isIntact: problem === undefined,
      from: this.#from,
      upTo: problem === undefined ? this.#seq : this.#vouchedBefore(problem),
      anchoredUpTo: this.#anchoredUpTo,
      recovered: this.#recovered,
      problem,
    }
  }

  get #seq(): number {
    return this.#last?.seq ?? 0
  }

  /** What anchors tell casts doubt on everything since the last good one. */
  #vouchedBefore({ seq, what }: AuditProblem): number {
    const isByAnchor = what === 'rewritten' || what === 'truncated'
    if (!isByAnchor) return this.#cut === undefined ? seq - 1 : 0
    return this.#options.sign === undefined ? this.#anchoredUpTo : this.#seq
  }

  #check(
    record: AuditRecord,
    records: readonly AuditRecord[],
    at: number,
  ): AuditProblem | undefined {
    const last = this.#last
    if (last === undefined) this.#begin(record)
    const wrong = this.#misplaced(record, records, at)
    if (wrong !== undefined) return this.#suspicion ?? wrong
    if (this.#suspicion !== undefined) {
      if (last === undefined || !seals(record, last)) return this.#suspicion
      this.#recovered.push(last.seq)
      this.#suspicion = undefined
    }
    this.#beforeLast = last
    this.#last = record
    if (record.hash !== hashRecord(record.previous, record)) {
      const message = `Record ${record.seq} is not what it was when it was written.`
      this.#suspicion = { seq: record.seq, what: 'edited', message }
      return this.#anchors.has(record.seq) ? this.#suspicion : undefined
    }
    this.#readLink(record)
    return this.#checkSign(record) ?? this.#checkAnchors(record)
  }

  #begin(record: AuditRecord): void {
    if (record.seq <= 1) return
    this.#from = record.seq
    this.#cut = { seq: record.seq - 1, hash: record.previous }
  }

  /** Whether it stands where its writer has put it. */
  #misplaced(
    record: AuditRecord,
    records: readonly AuditRecord[],
    at: number,
  ): AuditProblem | undefined {
    const last = this.#last
    const { seq } = record
    if (last === undefined) {
      if (seq > 1 || record.previous === noHead.hash) return undefined
      return edited(seq)
    }
    if (follows(record, last)) return undefined
    if (seq > last.seq + 1) {
      const message = `The records from ${last.seq + 1} to ${seq - 1} are missing.`
      return { seq: last.seq + 1, what: 'missing', message }
    }
    if (this.#suspicion !== undefined) return this.#suspicion
    const next = records.findIndex((one) => one.previous === last.hash)
    if (next > at) {
      const isInserted =
        next === at + 1 && record.previous !== records[next]?.hash
      return isInserted ? inserted(last.seq + 1) : swapped(last.seq + 1)
    }
    // Nobody follows the last one: it is what does not belong here.
    if (record.previous === (this.#beforeLast ?? noHead).hash) {
      return inserted(last.seq)
    }
    const isItself = record.hash === hashRecord(record.previous, record)
    return edited(isItself && seq === last.seq + 1 ? last.seq : last.seq + 1)
  }

  #readLink({ kind, body }: AuditRecord): void {
    if (this.#cut === undefined || kind !== auditKinds.removed) return
    const { seq, hash } = this.#cut
    // Canonical, so there is one text for it.
    if (body === linkBody({ seq, hash })) this.#cut = undefined
  }

  #checkSign({ seq, hash, mac }: AuditRecord): AuditProblem | undefined {
    const { sign, keyedFrom } = this.#options
    if (sign === undefined || seq < keyedFrom) return undefined
    if (mac !== null && mac !== '' && mac === sign(hash)) return undefined
    const message = `Record ${seq} is not signed with the key.`
    return { seq, what: 'unsigned', message }
  }

  #checkAnchors({
    seq,
    hash,
    previous,
  }: AuditRecord): AuditProblem | undefined {
    const isFirst = seq === this.#from
    const before = isFirst ? this.#anchorProblem(seq - 1, previous) : undefined
    return before ?? this.#anchorProblem(seq, hash)
  }

  #anchorProblem(seq: number, hash: string): AuditProblem | undefined {
    const anchors = this.#anchors.get(seq)
    if (anchors === undefined) return undefined
    if (anchors.every((anchor) => anchor.hash === hash)) {
      this.#anchoredUpTo = seq
      return undefined
    }
    const message = `Record ${seq} is not the one that was anchored: it, or records before it, were written anew.`
    return { seq, what: 'rewritten', message }
  }

  #atEnd(isPart: boolean): AuditProblem | undefined {
    const { anchors } = this.#options
    const newest = anchors.reduce((most, { seq }) => Math.max(most, seq), 0)
    if (newest > this.#seq) {
      const message = `The records after ${this.#seq} are gone: ${newest} was anchored.`
      return { seq: this.#seq + 1, what: 'truncated', message }
    }
    if (this.#cut === undefined || isPart) return undefined
    const message = `The records up to ${this.#cut.seq} are gone, and none says that they were removed.`
    return { seq: this.#cut.seq, what: 'missing', message }
  }
}

function seals(record: AuditRecord, broken: AuditRecord): boolean {
  const isSealing = record.kind === auditKinds.recovered
  return isSealing && record.previous === hashBroken(broken)
}

function edited(seq: number): AuditProblem {
  const message = `Record ${seq} does not fit the one behind it, or the one before: it was changed.`
  return { seq, what: 'edited', message }
}

function swapped(seq: number): AuditProblem {
  const message = `Another record stands in the place of record ${seq}.`
  return { seq, what: 'swapped', message }
}

function inserted(seq: number): AuditProblem {
  const message = `Record ${seq} was put between two others.`
  return { seq, what: 'inserted', message }
}

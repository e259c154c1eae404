import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Row } from '../database.ts'
import { createHashSigner } from './hash-signer.ts'

/** One record of the chain, as it is kept. */
export interface AuditRecord {
  /** Counts from 1 without gaps. */
  readonly seq: number
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly kind: string
  readonly actor: string | null
  readonly sessionId: string | null
  /** Canonical JSON. */
  readonly body: string
  /** The hash of the record before; of the first one, zeros. */
  readonly previous: string
  readonly hash: string
  /** Of the hash, where the chain has a key. */
  readonly mac: string | null
}

/** Where a chain ends, or ended once. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

/** What comes before the first record. */
export const noHead: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** Kinds of records that the chain writes about itself. */
export const auditKinds = {
  recovered: 'audit.recovered',
  removed: 'audit.removed',
  gap: 'audit.gap',
  anchorFailed: 'audit.anchor-failed',
} as const

export type AuditContent = Omit<AuditRecord, 'previous' | 'hash' | 'mac'>

/** SHA-256 over the hash before and the record in canonical JSON. */
export function hashRecord(previous: string, record: AuditContent): string {
  const { seq, at, kind, actor, sessionId, body } = record
  // Written out: the body is canonical already, and this is done very often.
  const text = `{"actor":${canonicalJson(actor)},"at":${at},"body":${body},"kind":${canonicalJson(kind)},"seq":${seq},"session":${canonicalJson(sessionId)}}`
  return sha256(previous + text)
}

/** Stands for a record that is broken: of all that there is of it. */
export function hashBroken(record: AuditRecord): string {
  const { mac, hash, previous, body, ...rest } = record
  return sha256(canonicalJson({ ...rest, mac, hash, previous, text: body }))
}

/** What the record of a removal says: the last record that was removed. */
export function linkBody({ seq, hash }: AuditHead): string {
  return `{"hash":"${hash}","upTo":${seq}}`
}

/** What is derived from one key, for one use each. */
export interface AuditKeys {
  /** Signs a record, by its hash. */
  readonly sign: (hash: string) => string
  /** Stands for a value that others must not be able to guess. */
  readonly conceal: (value: unknown) => string
}

export function deriveAuditKeys(key: string): AuditKeys {
  const derive = (use: string) =>
    createHmac('sha256', key).update(`hookline audit ${use}`).digest()
  const records = derive('records')
  const fields = derive('fields')
  return {
    sign: createHashSigner(records),
    conceal: (value) =>
      createHmac('sha256', fields).update(canonicalJson(value)).digest('hex'),
  }
}

export const auditColumns = [
  'seq',
  'at',
  'kind',
  'actor',
  'session_id',
  'body',
  'previous',
  'hash',
  'mac',
] as const

export function readAuditRecord(row: Row): AuditRecord {
  const text = (name: string) => {
    const value = row[name] ?? null
    return value === null ? null : String(value)
  }
  return {
    seq: Number(row['seq']),
    at: Number(row['at']),
    kind: text('kind') ?? '',
    actor: text('actor'),
    sessionId: text('session_id'),
    body: text('body') ?? '',
    previous: text('previous') ?? '',
    hash: text('hash') ?? '',
    mac: text('mac'),
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import { StoreError } from '../store-error.ts'

/** Shows that rows were written by somebody who has the key. */
export interface Macs {
  /** Null where there is no key. */
  sign(kind: MacKind, fields: readonly Field[]): string | null
  /** Whether it is the one that `sign` gives; without a key, any is. */
  verifies(mac: string | null, kind: MacKind, fields: readonly Field[]): boolean
  /** Of arguments: with the key, so that nobody can try out small secrets. */
  hash(value: unknown): string
}

/** What a row is: one kind never passes for another. */
type MacKind = 'approval' | 'vote' | 'rule' | 'args'

export type Field = string | number | null

const minKeyBytes = 16

export function createMacs(key: string | Uint8Array | undefined): Macs {
  if (key === undefined) {
    return { sign: () => null, verifies: () => true, hash: hashPlain }
  }
  if (Buffer.byteLength(key) < minKeyBytes) {
    const message = `The key of the approvals has fewer than ${minKeyBytes} bytes.`
    throw new StoreError('invalid-options', message)
  }
  const sign = (kind: MacKind, fields: readonly unknown[]) =>
    createHmac('sha256', key)
      .update(canonicalJson([kind, ...fields]))
      .digest('hex')
  return {
    sign,
    verifies: (mac, kind, fields) => isEqual(mac ?? '', sign(kind, fields)),
    hash: (value) => sign('args', [value]),
  }
}

function hashPlain(value: unknown): string {
  return sha256(canonicalJson(value))
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

import type { Table } from 'hookline'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

const known = new WeakMap<Table, string>()

/** Tells tables apart by what their hooks declare, also in another process. */
export function tableHash(table: Table): string {
  const before = known.get(table)
  if (before !== undefined) return before
  const hash = sha256(canonicalJson(table.hooks))
  known.set(table, hash)
  return hash
}

import type { SqlValue } from '../database.ts'
import { StoreError } from '../store-error.ts'
import { fromStoredText, toStoredText } from '../stored-text.ts'

/** A value as Postgres reads it: text, whose type the statement decides. */
export function toWire(value: SqlValue): string | null {
  if (value === null) return null
  if (typeof value === 'string') return toStoredText(value)
  if (Number.isFinite(value)) return String(value)
  throw new StoreError('invalid-statement', `${value} cannot be stored.`)
}

/** A value as the port gives it, by the type that Postgres says it has. */
export function fromWire(text: string | null, typeId: number): SqlValue {
  if (text === null) return null
  if (numbers.has(typeId)) return Number(text)
  if (typeId === booleanId) return text === 't' ? 1 : 0
  return fromStoredText(text)
}

/** int8, int2, int4, oid, float4, float8, numeric. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700])
const booleanId = 16

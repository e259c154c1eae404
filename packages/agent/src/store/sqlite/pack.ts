import type { SqlValue } from '../database.ts'
import type { StoreErrorCode } from '../store-error.ts'
import type {
  Outcome,
  Packed,
  SentResult,
  SentStatement,
  SentUnit,
} from './messages.ts'

// Between threads everything is copied, objects name by name: four times as
// dear as one long array.

export function packUnit(unit: SentUnit, into: SqlValue[]): void {
  const { id, name, isPatient, isClosing, statements } = unit
  const flags = (isPatient ? 1 : 0) + (isClosing ? 2 : 0)
  into.push(id, name, flags, statements.length)
  for (const { statement, values, expects } of statements) {
    into.push(statement, expects ?? null, values.length)
    for (const value of values) into.push(value)
  }
}

export function unpackUnits(packed: Packed): SentUnit[] {
  const cursor = new Cursor(packed)
  const units: SentUnit[] = []
  while (!cursor.isAtEnd) {
    const id = cursor.number()
    const name = cursor.text()
    const flags = cursor.number()
    const statements = cursor.list(unpackStatement)
    const isPatient = (flags & 1) !== 0
    const isClosing = (flags & 2) !== 0
    units.push({ id, name, isPatient, isClosing, statements })
  }
  return units
}

export function packOutcome(outcome: Outcome, into: SqlValue[]): void {
  if ('failure' in outcome) {
    const { code, message } = outcome.failure
    into.push(outcome.id, -1, code, message)
    return
  }
  into.push(outcome.id, outcome.results.length)
  for (const { columns, rows, changes } of outcome.results) {
    into.push(changes, columns.length)
    if (columns.length === 0) continue
    into.push(...columns, rows.length)
    for (const row of rows) for (const value of row) into.push(value)
  }
}

export function unpackOutcomes(packed: Packed): Outcome[] {
  const cursor = new Cursor(packed)
  const outcomes: Outcome[] = []
  while (!cursor.isAtEnd) {
    const id = cursor.number()
    const count = cursor.number()
    if (count >= 0) {
      outcomes.push({ id, results: cursor.times(count, unpackResult) })
      continue
    }
    // The other thread is this program: its codes are ours.
    const code = cursor.text() as StoreErrorCode
    outcomes.push({ id, failure: { code, message: cursor.text() } })
  }
  return outcomes
}

function unpackStatement(cursor: Cursor): SentStatement {
  const statement = cursor.next()
  const expects = cursor.next()
  return {
    statement: statement ?? '',
    expects: expects === null ? undefined : Number(expects),
    values: cursor.list(takeNext),
  }
}

function unpackResult(cursor: Cursor): SentResult {
  const changes = cursor.number()
  const width = cursor.number()
  if (width === 0) return { columns: [], rows: [], changes }
  const columns = cursor.times(width, (at) => at.text())
  const rows = cursor.list((at) => at.times(width, takeNext))
  return { columns, rows, changes }
}

const takeNext = (cursor: Cursor) => cursor.next()

class Cursor {
  readonly #packed: Packed
  #index = 0

  constructor(packed: Packed) {
    this.#packed = packed
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#packed.length
  }

  next(): SqlValue {
    const value = this.#packed[this.#index]
    this.#index += 1
    return value ?? null
  }

  number(): number {
    return Number(this.next())
  }

  text(): string {
    return String(this.next())
  }

  list<Item>(take: (cursor: Cursor) => Item): Item[] {
    return this.times(this.number(), take)
  }

  times<Item>(count: number, take: (cursor: Cursor) => Item): Item[] {
    const items: Item[] = []
    for (let index = 0; index < count; index += 1) items.push(take(this))
    return items
  }
}

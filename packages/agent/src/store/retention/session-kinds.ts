import {
  idValues,
  type SessionTable,
  sessionTables,
} from '../sessions/session-tables.ts'
import type { RetentionKind } from './rules.ts'

/** What is removed of a session that has ended. */
export interface SessionKind {
  readonly kind: RetentionKind
  /** The size of a session in characters, about, as a query finds it. */
  readonly size: string
  readonly steps: readonly SessionStep[]
}

/** Rows of one table that belong to a session; removed a few at a time. */
export interface SessionStep {
  readonly found: string
  readonly remove: string
  valuesFor(sessionId: string): readonly string[]
}

export const stepSize = 200

const emptied = [
  ['journal', 'payload'],
  ['calls', 'payload'],
  ['approvals', 'payload'],
  ['sessions', 'payload'],
  // It is made of what somebody said, or a model about that.
  ['sessions', 'title'],
] as const

function tableNamed(name: string): SessionTable {
  const found = sessionTables.find(({ table }) => table === name)
  if (found === undefined) throw new Error(`There is no table "${name}".`)
  return found
}

/** Removes the rows. */
function removeStep(table: SessionTable): SessionStep {
  const { where } = table
  return makeStep(table, where, `DELETE FROM ${table.table}`)
}

/** Removes only what is in a column of them. */
function emptyStep(name: string, column: string): SessionStep {
  const table = tableNamed(name)
  const where = `${table.where} AND ${column} IS NOT NULL`
  return makeStep(table, where, `UPDATE ${name} SET ${column} = NULL`)
}

function makeStep(
  table: SessionTable,
  where: string,
  change: string,
): SessionStep {
  const key = table.key.join(', ')
  const rows = `FROM ${table.table} WHERE ${where} LIMIT ${stepSize}`
  return {
    found: `SELECT 1 AS one ${rows}`,
    remove: `${change} WHERE (${key}) IN (SELECT ${key} ${rows})`,
    valuesFor: (sessionId) => idValues(table, sessionId),
  }
}

const sumOf = (table: string, size: string) =>
  `(SELECT COALESCE(SUM(${size}), 0) FROM ${table}
    WHERE ${table}.session_id = sessions.id)`
const journalSize = sumOf('journal', 'COALESCE(LENGTH(journal.payload), 0)')
const callsSize = sumOf('calls', '500 + COALESCE(LENGTH(calls.payload), 0)')
const turnsSize = sumOf('turns', '200')

export const sessionKinds: readonly SessionKind[] = [
  {
    kind: 'payloads',
    size: journalSize,
    steps: [
      // First: what it would leave out must not be left out while it is there.
      removeStep(tableNamed('snapshots')),
      ...emptied.map(([table, column]) => emptyStep(table, column)),
    ],
  },
  {
    kind: 'calls',
    size: callsSize,
    steps: [removeStep(tableNamed('calls'))],
  },
  {
    kind: 'turns',
    size: turnsSize,
    steps: [removeStep(tableNamed('turns'))],
  },
  {
    kind: 'sessions',
    size: `${journalSize} + ${callsSize} + ${turnsSize}`,
    // The session itself is the last of them: what is left is found again.
    steps: sessionTables.map(removeStep),
  },
]

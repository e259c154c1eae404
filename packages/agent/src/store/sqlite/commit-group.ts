import { type Hit, passBlocking, type UnitMoment } from '../failpoints.ts'
import { StoreError } from '../store-error.ts'
import type { Connection } from './connection.ts'
import type { Outcome, SentResult, SentUnit } from './messages.ts'
import { failureOf, isOfAll } from './sqlite-failure.ts'

export interface GroupParts {
  readonly connection: Connection
  readonly hit: Hit | undefined
  readonly withoutSavepoints: boolean
}

/** What became of a group; `broken` is what ended the work of all in it. */
export interface GroupResult {
  readonly units: readonly SentUnit[]
  readonly outcomes: readonly Outcome[]
  readonly broken: unknown
}

/** Does all units in one transaction; one that fails leaves the others alone. */
export function commitGroup(
  next: () => SentUnit | undefined,
  parts: GroupParts,
): GroupResult {
  const { connection, hit } = parts
  const units: SentUnit[] = []
  const outcomes: Outcome[] = []
  try {
    connection.do('BEGIN IMMEDIATE')
    for (let unit = next(); unit !== undefined; unit = next()) {
      units.push(unit)
      outcomes.push(writeUnit(unit, parts))
    }
    const isDone = outcomes.some((outcome) => 'results' in outcome)
    connection.do(isDone ? 'COMMIT' : 'ROLLBACK')
  } catch (error) {
    undo(connection)
    for (let unit = next(); unit !== undefined; unit = next()) units.push(unit)
    return { units, outcomes: failAll(units, error), broken: error }
  }
  const told = units.map((unit, index) => tell(unit, outcomes[index], hit))
  return { units, outcomes: told, broken: undefined }
}

export function failAll(
  units: readonly SentUnit[],
  error: unknown,
): readonly Outcome[] {
  return units.map(({ id, name }) => ({ id, failure: failureOf(error, name) }))
}

function writeUnit(
  unit: SentUnit,
  { connection, hit, withoutSavepoints }: GroupParts,
): Outcome {
  if (!withoutSavepoints) connection.do('SAVEPOINT unit')
  try {
    pass(unit, 'before-write', hit)
    const results = runStatements(unit, connection)
    pass(unit, 'before-commit', hit)
    if (!withoutSavepoints) connection.do('RELEASE unit')
    return { id: unit.id, results }
  } catch (error) {
    if (isOfAll(error)) throw error
    if (!withoutSavepoints) {
      connection.do('ROLLBACK TO unit')
      connection.do('RELEASE unit')
    }
    return { id: unit.id, failure: failureOf(error, unit.name) }
  }
}

function runStatements(unit: SentUnit, connection: Connection): SentResult[] {
  connection.readClock()
  return unit.statements.map(({ statement, values, expects }) => {
    const result = connection.run(statement, values)
    if (expects === undefined || expects === result.changes) return result
    throw new StoreError(
      'conflict',
      `${unit.name} was to change ${expects} rows and changed ${result.changes}: somebody was faster.`,
    )
  })
}

function undo(connection: Connection): void {
  // Some errors have ended the transaction already.
  if (!connection.sqlite.isTransaction) return
  try {
    connection.do('ROLLBACK')
  } catch {
    // The connection is given up after the error that led here.
  }
}

function tell(
  unit: SentUnit,
  outcome: Outcome | undefined,
  hit: Hit | undefined,
): Outcome {
  const { id, name } = unit
  try {
    if (outcome === undefined) throw new Error('It was not done.')
    if ('failure' in outcome) return outcome
    pass(unit, 'after-commit', hit)
    pass(unit, 'before-notify', hit)
    return outcome
  } catch (error) {
    return { id, failure: failureOf(error, name) }
  }
}

function pass(
  { name }: SentUnit,
  moment: UnitMoment,
  hit: Hit | undefined,
): void {
  if (hit !== undefined) passBlocking(hit, `${name}:${moment}`)
}

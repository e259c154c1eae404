import type { Result, Statement, Unit } from '../database.ts'
import { type Hit, pass, type UnitMoment } from '../failpoints.ts'
import { StoreError } from '../store-error.ts'
import type { Receipt } from './commit-receipts.ts'
import { isConnectionLost } from './postgres-failure.ts'
import type { Session } from './session.ts'

/** The connection was lost while the server was to commit. */
export class CommitUnknown extends Error {
  readonly receipt: Receipt
  /** What the units gave, if they are there. */
  readonly results: readonly (readonly Result[])[]

  constructor(receipt: Receipt, results: readonly (readonly Result[])[]) {
    super('It is not known whether the server has committed.')
    this.receipt = receipt
    this.results = results
  }
}

/** Does all units in one transaction, in two round trips; or none of them. */
export async function commitUnits(
  units: readonly Unit[],
  { session, hit }: { session: Session; hit: Hit | undefined },
): Promise<readonly (readonly Result[])[]> {
  const receipt = session.nextReceipt()
  const results = await writeUnits()
  await commit()
  await passAll('after-commit')
  await passAll('before-notify')
  return results

  async function writeUnits(): Promise<readonly (readonly Result[])[]> {
    try {
      await passAll('before-write')
      const statements = units.flatMap((unit) => unit.statements)
      const [, , ...given] = await session.run([
        begin,
        receipt.statement,
        ...statements,
      ])
      const split = splitResults(units, given)
      await passAll('before-commit')
      return split
    } catch (error) {
      await rollBack(session)
      throw error
    }
  }

  async function commit(): Promise<void> {
    try {
      await session.run([commitNow])
    } catch (error) {
      // Also when the server says that it shuts down: it may have committed.
      if (!isConnectionLost(error)) throw error
      throw new CommitUnknown(receipt, results)
    }
  }

  async function passAll(moment: UnitMoment): Promise<void> {
    if (hit === undefined) return
    for (const { name } of units) await pass(hit, `${name}:${moment}`)
  }
}

const begin: Statement = { sql: 'BEGIN', values: [] }
const commitNow: Statement = { sql: 'COMMIT', values: [] }
const rollback: Statement = { sql: 'ROLLBACK', values: [] }

async function rollBack(session: Session): Promise<void> {
  if (session.isBroken) return
  try {
    await session.run([rollback])
  } catch {
    // The server undoes it itself when the connection is gone.
    session.destroy()
  }
}

function splitResults(
  units: readonly Unit[],
  results: readonly Result[],
): readonly (readonly Result[])[] {
  let start = 0
  return units.map((unit) => {
    const own = results.slice(start, start + unit.statements.length)
    start += unit.statements.length
    checkExpected(unit, own)
    return own
  })
}

function checkExpected(unit: Unit, results: readonly Result[]): void {
  for (const [index, { expects }] of unit.statements.entries()) {
    const changes = results[index]?.changes
    if (expects === undefined || expects === changes) continue
    throw new StoreError(
      'conflict',
      `${unit.name} was to change ${expects} rows and changed ${changes}: somebody was faster.`,
    )
  }
}

import type { Database, Statement } from '../database.ts'
import { StoreError } from '../store-error.ts'

/**
 * Removes rows in one unit, with the record of it. False if one of them is
 * gone since, or needed: then none was removed, and the next pass looks again.
 */
export async function removeAtOnce(
  database: Database,
  statements: readonly Statement[],
): Promise<boolean> {
  try {
    const name = 'retention.remove'
    await database.write({ name, statements, isPatient: true })
    return true
  } catch (error) {
    if (error instanceof StoreError && error.code === 'conflict') return false
    throw error
  }
}

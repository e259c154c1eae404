import type { DatabaseSync } from 'node:sqlite'
import { type Hit, passBlocking } from '../failpoints.ts'
import {
  type AppliedMigration,
  insertApplied,
  type MigrationStep,
  migrationsTable,
  nextStep,
  readApplied,
} from '../schema/migrate.ts'

/** One transaction a step; whoever else migrates at the same time waits. */
export function migrateSqlite(
  sqlite: DatabaseSync,
  { steps, hit }: { steps: readonly MigrationStep[]; hit: Hit | undefined },
): void {
  while (migrateOnce());

  function migrateOnce(): boolean {
    sqlite.exec('BEGIN IMMEDIATE')
    try {
      sqlite.exec(migrationsTable)
      // The columns are those of the statement.
      const rows = sqlite.prepare(readApplied).all() as unknown
      const step = nextStep(steps, rows as AppliedMigration[])
      if (step !== undefined) apply(step)
      sqlite.exec('COMMIT')
      return step !== undefined
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
      throw error
    }
  }

  function apply({ version, name, hash, sql }: MigrationStep): void {
    passBlocking(hit, `migrate.${version}:before-write`)
    sqlite.exec(sql)
    sqlite.prepare(insertApplied).run(version, name, hash)
    passBlocking(hit, `migrate.${version}:before-commit`)
  }
}

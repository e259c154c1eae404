import { type Hit, pass } from '../failpoints.ts'
import {
  insertApplied,
  type MigrationStep,
  migrationsTable,
  nextStep,
  readApplied,
} from '../schema/migrate.ts'
import { forgetReceipts, receiptsTable } from './commit-receipts.ts'
import type { Session } from './session.ts'

export interface MigrateOptions {
  readonly schema: string
  readonly steps: readonly MigrationStep[]
  readonly hit: Hit | undefined
}

/** One transaction a step; whoever else migrates at the same time waits. */
export async function migratePostgres(
  session: Session,
  { schema, steps, hit }: MigrateOptions,
): Promise<void> {
  while (await migrateOnce());

  async function migrateOnce(): Promise<boolean> {
    await session.run([begin, { sql: lock, values: [schema] }])
    try {
      await session.runScript(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
      const [found] = await session.run([{ sql: findClock, values: [schema] }])
      if (found?.rows.length === 0) await session.runScript(createClock)
      await session.runScript(
        `${receiptsTable}; ${forgetReceipts}; ${migrationsTable}`,
      )
      const [applied] = await session.run([{ sql: readApplied, values: [] }])
      const rows = applied?.rows.map(({ version, hash }) => ({
        version: Number(version),
        hash: String(hash),
      }))
      const step = nextStep(steps, rows ?? [])
      if (step !== undefined) await apply(step)
      await session.run([{ sql: 'COMMIT', values: [] }])
      return step !== undefined
    } catch (error) {
      if (!session.isBroken)
        await session.run([{ sql: 'ROLLBACK', values: [] }])
      throw error
    }
  }

  async function apply(step: MigrationStep): Promise<void> {
    const { version, name, hash, sql } = step
    await pass(hit, `migrate.${version}:before-write`)
    await session.runScript(sql)
    await session.run([{ sql: insertApplied, values: [version, name, hash] }])
    await pass(hit, `migrate.${version}:before-commit`)
  }
}

const begin = { sql: 'BEGIN', values: [] }
const lock = `SELECT pg_advisory_xact_lock(hashtextextended('hookline ' || ?, 0))`
const findClock = `
SELECT 1 FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
WHERE proname = 'hookline_now' AND nspname = ?`

/** The same for all of a unit, and not read for each row: indexes can be used. */
const createClock = `
CREATE FUNCTION hookline_now() RETURNS BIGINT LANGUAGE sql STABLE AS
$$SELECT (extract(epoch FROM transaction_timestamp()) * 1000)::bigint$$`

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

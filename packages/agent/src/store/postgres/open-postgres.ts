import type { Database } from '../database.ts'
import { countHits, type Failpoints } from '../failpoints.ts'
import { stepsFor } from '../schema/migrate.ts'
import type { Migration } from '../schema/migration.ts'
import { migrations as allMigrations } from '../schema/migrations.ts'
import type { PostgresSabotage } from './do-units.ts'
import { loadPg } from './load-pg.ts'
import { type MigrateOptions, migratePostgres } from './migrate-postgres.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { failureOf } from './postgres-failure.ts'
import { Session, type SessionOptions } from './session.ts'
import { Sessions } from './sessions.ts'

export interface PostgresOptions {
  readonly url: string
  /** Everything is kept in it; made if it is not there. Default: hookline. */
  readonly schema?: string
  /** Connections; patient work never takes the last ones. Default: 10. */
  readonly poolSize?: number
  /** How long a statement may take. Default: 10 s. */
  readonly statementMs?: number
  /** How long a server that is away is waited for. Default: 10 s. */
  readonly reconnectMs?: number
  readonly failpoints?: Failpoints
  readonly migrations?: readonly Migration[]
}

/** Opens a database in a schema of its own, and makes it if there is none. */
export function openPostgres(options: PostgresOptions): Promise<Database> {
  return openSabotagedPostgres(options, {})
}

/** Broken on purpose: by it tests show that they would notice. */
export async function openSabotagedPostgres(
  given: PostgresOptions,
  sabotage: PostgresSabotage,
): Promise<Database> {
  const { url, schema = 'hookline', migrations = allMigrations } = given
  const { poolSize = 10, statementMs = 10_000, reconnectMs = 10_000 } = given
  const { Client } = await loadPg()
  const hit = countHits(given.failpoints)
  const synchronousCommit = sabotage.withoutSync === true ? 'off' : 'on'
  const options = {
    Client,
    url,
    schema,
    statementMs,
    synchronousCommit,
  } as const
  const steps = stepsFor('postgres', migrations)
  try {
    const version = await prepare(options, { schema, steps, hit })
    const sessions = new Sessions(options)
    return new PostgresDatabase({
      sessions,
      hit,
      reconnectMs,
      poolSize,
      version,
      sabotage,
    })
  } catch (error) {
    throw failureOf(error, 'open')
  }
}

async function prepare(
  options: SessionOptions,
  migrateOptions: MigrateOptions,
): Promise<string> {
  const session = await Session.connect(options)
  try {
    const [result] = await session.run([readVersion])
    await migratePostgres(session, migrateOptions)
    return `Postgres ${result?.rows[0]?.['version']}`
  } finally {
    await session.end()
  }
}

const readVersion = {
  sql: `SELECT current_setting('server_version') AS version`,
  values: [],
}

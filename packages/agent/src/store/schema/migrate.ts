import { createHash } from 'node:crypto'
import type { Dialect } from '../database.ts'
import { StoreError } from '../store-error.ts'
import type { Migration } from './migration.ts'

/** A migration that a database has been through. */
export interface AppliedMigration {
  readonly version: number
  readonly hash: string
}

/** What the runners of both engines do for one migration. */
export interface MigrationStep {
  readonly version: number
  readonly name: string
  readonly hash: string
  /** Several statements, without values. */
  readonly sql: string
}

/** Where the migrations a database has been through are written down. */
export const migrationsTable = `
CREATE TABLE IF NOT EXISTS migrations (
  version BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`

export const readApplied =
  'SELECT version, hash FROM migrations ORDER BY version'

export const insertApplied = `
INSERT INTO migrations (version, name, hash, applied_at)
VALUES (?, ?, ?, hookline_now())`

/**
 * The next step of a database, undefined when it is up to date. Refuses one
 * that a newer program wrote, or whose migrations were not these.
 */
export function nextStep(
  steps: readonly MigrationStep[],
  applied: readonly AppliedMigration[],
): MigrationStep | undefined {
  const newest = steps.at(-1)?.version ?? 0
  const last = applied.at(-1)?.version ?? 0
  if (last > newest) {
    throw new StoreError(
      'newer-schema',
      `The database has version ${last} of the schema, and this program knows ${newest}: run the newer program.`,
    )
  }
  const known = new Map(steps.map((step) => [step.version, step]))
  for (const { version, hash } of applied) {
    if (known.get(version)?.hash === hash) continue
    throw new StoreError(
      'corrupt',
      `Migration ${version} of the database is not the one of this program: it was made by another build, or was edited.`,
    )
  }
  return steps.find(({ version }) => version > last)
}

/** Migrations as one engine does them. */
export function stepsFor(
  dialect: Dialect,
  migrations: readonly Migration[],
): readonly MigrationStep[] {
  return migrations.map(({ version, name, sql, only }) => {
    const text = sql + only[dialect]
    const hash = createHash('sha256').update(text).digest('hex')
    return { version, name, hash, sql: text }
  })
}

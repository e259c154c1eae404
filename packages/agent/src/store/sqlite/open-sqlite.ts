import { dirname, resolve } from 'node:path'
import type { Database } from '../database.ts'
import type { Failpoints } from '../failpoints.ts'
import { stepsFor } from '../schema/migrate.ts'
import type { Migration } from '../schema/migration.ts'
import { migrations as allMigrations } from '../schema/migrations.ts'
import { judgeDisk, type UnsafeDisk } from './judge-disk.ts'
import type { Sabotage } from './messages.ts'
import { checkFolder, prepareFile } from './prepare-file.ts'
import { SqliteDatabase } from './sqlite-database.ts'

export interface SqliteOptions {
  readonly file: string
  /** How long to wait for another process that writes. Default: 5 s. */
  readonly busyMs?: number
  /**
   * Space kept in a file of its own beside the database, for what must still
   * be written when the disk is full. Default: 1 MiB.
   */
  readonly ballastBytes?: number
  /** A file on another machine's disk. Default: refuse. */
  readonly unsafeDisk?: UnsafeDisk
  readonly failpoints?: Failpoints
  /** Default: all that the program has. */
  readonly migrations?: readonly Migration[]
  /** A file whose text is the time of the database, for tests. */
  readonly clockFile?: string
}

/** Opens a database in one file, and makes it if there is none. */
export function openSqlite(options: SqliteOptions): Promise<Database> {
  return openSabotaged(options, {})
}

/** Broken on purpose: by it tests show that they would notice. */
export async function openSabotaged(
  options: SqliteOptions,
  sabotage: Sabotage,
): Promise<Database> {
  const { busyMs = 5_000, ballastBytes = 1_048_576 } = options
  const { unsafeDisk = 'refuse', migrations = allMigrations } = options
  const file = resolve(options.file)
  checkFolder(dirname(file))
  await judgeDisk(file, { unsafeDisk, kind: sabotage.diskKind })
  await prepareFile(file)
  return await SqliteDatabase.open({
    file,
    busyMs,
    ballastBytes,
    failpoints: options.failpoints,
    steps: stepsFor('sqlite', migrations),
    clockFile: options.clockFile,
    sabotage,
  })
}

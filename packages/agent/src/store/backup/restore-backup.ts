import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  createPayloads,
  type PayloadsOptions,
} from '../content/create-payloads.ts'
import {
  createRedactor,
  type RedactorOptions,
} from '../content/create-redactor.ts'
import type { Database } from '../database.ts'
import type { PostgresOptions } from '../postgres/open-postgres.ts'
import { openSqlite, type SqliteOptions } from '../sqlite/open-sqlite.ts'
import { hasOpeners } from '../sqlite/opener-mark.ts'
import { StoreError } from '../store-error.ts'
import { formatOf, linesOf } from './backup-lines-file.ts'
import { restoreSqlite } from './backup-sqlite.ts'
import {
  isThere,
  mendNames,
  putInPlace,
  removeMade,
  syncPath,
} from './move-aside.ts'
import { restoreStore } from './restore-store.ts'

export interface RestoreOptions {
  /** The store that is to be as the backup has it. */
  readonly store: {
    readonly database: SqliteOptions | PostgresOptions
    /** What reads the payloads of the backup. */
    readonly payloads?: PayloadsOptions
    readonly redactor?: RedactorOptions
  }
  /**
   * What is there is kept under another name. Default: only what is not there,
   * or empty, is filled.
   */
  readonly replaces?: boolean
}

export interface RestoredBackup {
  /** What was there before, under its new names. */
  readonly moved: readonly string[]
}

/**
 * Makes a store of a backup of either kind, beside what is there, and puts it
 * in its place when it is whole. Whatever happens, there is the old or the
 * new one. Refuses a store that somebody has open.
 */
export async function restoreBackup(
  from: string,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const { database } = options.store
  if (!('url' in database)) return await restoreFile(from, database, options)
  if ((await formatOf(from)) === 'sqlite') {
    const message = `"${from}" is a copy of a SQLite database, and the store is a Postgres: make the backup with a name that ends in .jsonl.`
    throw new StoreError('invalid-options', message)
  }
  const { replaceSchema } = await import('./replace-schema.ts')
  return await replaceSchema(database, {
    replaces: options.replaces ?? false,
    fill: (made) => fill(made, linesOf(from), options),
  })
}

async function restoreFile(
  from: string,
  database: SqliteOptions,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const file = resolve(database.file)
  await mkdir(dirname(file), { recursive: true })
  await mendNames(file)
  if (isThere(file) && options.replaces !== true) {
    const message = `There is a store at "${file}" already; nothing was changed.`
    throw new StoreError('exists', message)
  }
  refuseOpen(file)
  const made = `${file}.restoring`
  await removeMade(made)
  try {
    if ((await formatOf(from)) === 'sqlite') {
      await restoreSqlite({ from, to: made })
    } else {
      const opening = { ...database, file: made, ballastBytes: 0 }
      await fill(await openSqlite(opening), linesOf(from), options)
      await syncPath(made)
    }
    refuseOpen(file)
    return { moved: await putInPlace(made, file) }
  } finally {
    await removeMade(made)
  }
}

/** Whoever writes to what is replaced writes into nothing. */
function refuseOpen(file: string): void {
  if (!isThere(file) || !hasOpeners(file)) return
  const message = `Somebody has the store "${file}" open; end that first. Nothing was changed.`
  throw new StoreError('busy', message)
}

async function fill(
  database: Database,
  lines: AsyncIterable<string>,
  { store: { payloads, redactor } }: RestoreOptions,
): Promise<void> {
  try {
    const parts = {
      database,
      payloads: createPayloads(payloads),
      redactor: createRedactor(redactor),
    }
    await restoreStore(parts, lines)
  } finally {
    await database.close()
  }
}

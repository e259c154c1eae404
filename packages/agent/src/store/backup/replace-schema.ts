import { createHash } from 'node:crypto'
import type { Database } from '../database.ts'
import { loadPg } from '../postgres/load-pg.ts'
import {
  openPostgres,
  type PostgresOptions,
} from '../postgres/open-postgres.ts'
import { failureOf } from '../postgres/postgres-failure.ts'
import { Session } from '../postgres/session.ts'
import { StoreError } from '../store-error.ts'
import type { RestoredBackup } from './restore-backup.ts'
import { usedSql } from './restore-store.ts'

export interface ReplaceOptions {
  readonly replaces: boolean
  /** Fills a new store, and closes it. */
  readonly fill: (database: Database) => Promise<void>
}

/**
 * Makes a store in a schema of its own, and gives it the name of another one
 * in one transaction, which keeps that one under another name.
 */
export async function replaceSchema(
  database: PostgresOptions,
  { replaces, fill }: ReplaceOptions,
): Promise<RestoredBackup> {
  const { url, schema = 'hookline', statementMs = 10_000 } = database
  const { Client } = await loadPg()
  const made = otherName(schema, 'restoring')
  let session: Session | undefined
  try {
    const parts = { Client, url, schema, statementMs }
    session = await Session.connect({ ...parts, synchronousCommit: 'on' })
    await lock(session, schema)
    // Before there is anything to do for it, and again when it is done.
    await look(session, schema, replaces)
    const drop = `DROP SCHEMA IF EXISTS ${quoted(made)} CASCADE`
    await session.runScript(drop)
    try {
      await fill(await openPostgres({ ...database, schema: made }))
      return { moved: await swap(session, { schema, made, replaces }) }
    } catch (error) {
      if (!session.isBroken) await session.runScript(drop)
      throw error
    }
  } catch (error) {
    throw failureOf(error, 'restore')
  } finally {
    if (session?.isBroken === false) await session.end()
  }
}

interface Swap {
  readonly schema: string
  readonly made: string
  readonly replaces: boolean
}

async function swap(
  session: Session,
  { schema, made, replaces }: Swap,
): Promise<readonly string[]> {
  await session.runScript('BEGIN')
  try {
    const before = await look(session, schema, replaces)
    // Nobody takes it in use from here on.
    if (before !== 'nothing') await session.runScript(lockWorkers)
    const found = await look(session, schema, replaces)
    await refuseForeign(session, { schema, made })
    const moved = found === 'used' ? [await freeName(session, schema)] : []
    const [aside] = moved
    if (aside !== undefined) {
      await session.runScript(
        `ALTER SCHEMA ${quoted(schema)} RENAME TO ${quoted(aside)}`,
      )
    } else if (found === 'empty') {
      await session.runScript(`DROP SCHEMA ${quoted(schema)} CASCADE`)
    }
    await session.runScript(
      `ALTER SCHEMA ${quoted(made)} RENAME TO ${quoted(schema)}`,
    )
    await session.runScript('COMMIT')
    return moved
  } catch (error) {
    if (!session.isBroken) await session.runScript('ROLLBACK')
    throw error
  }
}

/** Two restores of one store would each take the other's for a leftover. */
async function lock(session: Session, schema: string): Promise<void> {
  const sql = `SELECT pg_try_advisory_lock(
    hashtextextended('hookline restore ' || ?, 0))::text AS got`
  const [result] = await session.run([{ sql, values: [schema] }])
  if (result?.rows[0]?.['got'] === 'true') return
  const message = `The schema "${schema}" is being restored by somebody else; wait for that.`
  throw new StoreError('busy', message)
}

/** What is there now; throws where it may not be replaced. */
async function look(
  session: Session,
  schema: string,
  replaces: boolean,
): Promise<'nothing' | 'empty' | 'used'> {
  const values = [schema, schema]
  const [tables] = await session.run([{ sql: findTables, values }])
  const [count] = tables?.rows ?? []
  if (count === undefined || count['schemas'] === 0) return 'nothing'
  if (count['ours'] !== 2) {
    const message = `The schema "${schema}" is there, and has no store of ours in it; name another one.`
    throw new StoreError('exists', message)
  }
  const [workers] = await session.run([{ sql: liveWorkers, values: [] }])
  if (workers?.rows[0]?.['live'] !== 0) {
    const message = `A daemon has the store in the schema "${schema}" open; end all that use it first. Nothing was changed.`
    throw new StoreError('busy', message)
  }
  const [used] = await session.run([{ sql: usedSql, values: [] }])
  if (used?.rows[0]?.['used'] === 0) return 'empty'
  if (replaces) return 'used'
  const message = `There is a store in the schema "${schema}" already; nothing was changed.`
  throw new StoreError('exists', message)
}

/** What is not ours must neither go nor get another name. */
async function refuseForeign(
  session: Session,
  { schema, made }: Pick<Swap, 'schema' | 'made'>,
): Promise<void> {
  const values = [schema, made]
  const [found] = await session.run([{ sql: findForeign, values }])
  const name = found?.rows[0]?.['name']
  if (name === undefined) return
  const message = `The schema "${schema}" has something in it that is not ours: "${name}"; move that elsewhere first, or name another schema. Nothing was changed.`
  throw new StoreError('invalid-options', message)
}

const namesIn = `SELECT relname::text AS name FROM pg_class
JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = ?`
const findForeign = `${namesIn} EXCEPT ${namesIn} ORDER BY name LIMIT 1`

const findTables = `SELECT
  (SELECT COUNT(*) FROM pg_namespace WHERE nspname = ?)::int AS schemas,
  (SELECT COUNT(*) FROM pg_tables WHERE schemaname = ?
    AND tablename IN ('sessions', 'workers'))::int AS ours`

const lockWorkers = 'LOCK TABLE workers IN ACCESS EXCLUSIVE MODE'
const liveWorkers = `SELECT COUNT(*)::int AS live FROM workers
WHERE leased_until > hookline_now()`

async function freeName(session: Session, schema: string): Promise<string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  for (let count = 1; ; count++) {
    const name = otherName(schema, `before_${day}_${count}`)
    const sql = 'SELECT 1 FROM pg_namespace WHERE nspname = ?'
    const [found] = await session.run([{ sql, values: [name] }])
    if (found?.rows.length === 0) return name
  }
}

const maxLength = 63

/** Postgres cuts names that are longer: then two could be one. */
function otherName(schema: string, ending: string): string {
  const name = `${schema}_${ending}`
  if (name.length <= maxLength) return name
  const hash = createHash('sha256').update(schema).digest('hex').slice(0, 8)
  const room = maxLength - ending.length - hash.length - 2
  return `${schema.slice(0, room)}_${hash}_${ending}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

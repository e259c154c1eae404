import { createHash } from 'node:crypto'
import type { Database, SqlValue, Statement } from '../database.ts'
import { insertWords } from '../memories/statements.ts'
import { indexText } from '../memories/words.ts'
import type { StoreParts } from '../parts.ts'
import { cursorPrefix } from '../retention/walk.ts'
import { type RowStatements, rowStatements } from '../runs/row-statements.ts'
import { migrations } from '../schema/migrations.ts'
import { StoreError } from '../store-error.ts'
import { type BackupHead, type BackupRows, readLine } from './backup-lines.ts'
import { allBackupTables } from './backup-tables.ts'
import {
  forgetWorkersSql,
  moveEventMarksSql,
  newLogName,
  readEpochSql,
  writeEpochSql,
} from './restore-marks.ts'

type FilledParts = Pick<StoreParts, 'database' | 'payloads' | 'redactor'>

/**
 * Fills an empty store from the lines of `exportStore`, whichever engine they
 * are from. What people had agreed to before counts no more. A restore that
 * was interrupted can be begun again.
 */
export async function restoreStore(
  parts: FilledParts,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const { database } = parts
  try {
    await fill(database, lines)
    await indexMemories(parts)
  } catch (error) {
    // Half a store is worse than none; if this fails too, the mark is left.
    const isOurs = await isRestoring(database).catch(() => false)
    if (isOurs) await write(database, [...emptied, ...marked.slice(0, 1)])
    throw error
  }
  const [moveHead, moveFloor] = moveEventMarksSql
  await write(database, [
    { sql: moveHead, values: [newLogName()] },
    { sql: moveFloor, values: [] },
    ...marked.slice(0, 1),
  ])
}

async function fill(
  database: Database,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const hash = createHash('sha256')
  const inserts = new Map<string, RowStatements>()
  let rows = 0
  let isWhole = false
  let hasBegun = false
  for await (const text of lines) {
    if (isWhole) throw damaged('goes on after its end')
    const line = readLine(text)
    if (line.type === 'end') {
      const isSame = line.rows === rows && line.hash === hash.digest('hex')
      if (!isSame) throw damaged('is not as it was written')
      isWhole = true
      continue
    }
    hash.update(text.endsWith('\n') ? text : `${text}\n`)
    if (line.type === 'head') {
      await begin(database, line)
      hasBegun = true
      continue
    }
    if (!hasBegun) throw damaged('has no head')
    rows += line.rows.length
    const kept = line.table === 'meta' ? withoutOwn(line) : line
    await write(database, insertFor(line, inserts)(kept.rows.flat()))
  }
  if (!isWhole) throw damaged('has no end')
}

const mark = 'restore'

/** Takes the mark away; sets it. */
const marked: readonly Statement[] = [
  { sql: 'DELETE FROM meta WHERE key = ?', values: [mark] },
  {
    sql: 'INSERT INTO meta (key, value) VALUES (?, ?)',
    values: [mark, 'running'],
  },
]

const filled = allBackupTables.filter((table) => table !== 'meta')

const emptied: readonly Statement[] = [...filled, 'memory_words'].map(
  (table) => ({ sql: `DELETE FROM ${table}`, values: [] }),
)

/** Whether a restore was begun here and not ended. */
export async function isRestoring(database: Database): Promise<boolean> {
  const sql = 'SELECT value FROM meta WHERE key = ?'
  const rows = await database.read({ sql, values: [mark] })
  return rows.length > 0
}

/** Only what is empty is filled, or what an earlier restore left half full. */
async function begin(database: Database, head: BackupHead): Promise<void> {
  checkHead(head)
  if (!(await isRestoring(database))) await refuseUsed(database)
  const [row] = await database.read({ sql: readEpochSql, values: [] })
  const epoch = Math.max(Number(row?.['epoch']), head.epoch) + 1
  await write(database, [
    ...emptied,
    ...marked,
    // Not at the end: half a restore must not be taken for the store of then.
    { sql: writeEpochSql, values: [String(epoch)] },
    { sql: forgetWorkersSql, values: [] },
  ])
}

/** How many tables have something in them. */
export const usedSql = `SELECT ${filled
  .map(
    (table) => `(SELECT COUNT(*) FROM (SELECT 1 FROM ${table} LIMIT 1) AS one)`,
  )
  .join(' + ')} AS used`

async function refuseUsed(database: Database): Promise<void> {
  const [row] = await database.read({ sql: usedSql, values: [] })
  if (row?.['used'] === 0) return
  const message = 'The store is not empty; a backup is restored into a new one.'
  throw new StoreError('exists', message)
}

function checkHead({ format, schema }: BackupHead): void {
  const own = migrations.at(-1)?.version ?? 0
  if (format === 1 && schema === own) return
  const message = `The backup is of version ${schema} of the schema, and this program has ${own}: restore it with the program that made it.`
  throw new StoreError('newer-schema', message)
}

/** The store has its own epoch, and is not where retention was elsewhere. */
function withoutOwn(line: BackupRows): BackupRows {
  const at = line.columns.indexOf('key')
  const rows = line.rows.filter((row) => !isOwn(String(row[at])))
  return { ...line, rows }
}

function isOwn(key: string): boolean {
  return key === mark || key === 'epoch' || key.startsWith(cursorPrefix)
}

function insertFor(
  { table, columns }: BackupRows,
  known: Map<string, RowStatements>,
): RowStatements {
  const key = [table, ...columns].join()
  const before = known.get(key)
  if (before !== undefined) return before
  const isKnown = allBackupTables.includes(table)
  // They become part of statements.
  const isNamed = columns.every((name) => /^[a-z_]+$/.test(name))
  if (!isKnown || !isNamed) throw damaged('has a table that is none of ours')
  const onConflict = table === 'meta' ? 'ON CONFLICT (key) DO NOTHING' : ''
  const made = rowStatements(`INSERT INTO ${table}`, columns, onConflict)
  known.set(key, made)
  return made
}

const pageSize = 100
const someMemories = `SELECT id, name, payload FROM memories WHERE id > ?
ORDER BY id LIMIT ${pageSize}`

/** Each engine, and each key, has words of its own. */
async function indexMemories(parts: FilledParts): Promise<void> {
  const { database, payloads, redactor } = parts
  const sql = insertWords[database.dialect]
  let after: SqlValue = ''
  for (;;) {
    const rows = await database.read({ sql: someMemories, values: [after] })
    const statements = rows.map(({ id, name, payload }) => {
      const place = ['memories', String(id)] as const
      // As `createMemories` writes it.
      const { text } = payloads.read(String(payload), place) as { text: string }
      const shown = String(redactor.data(`${name}\n${text}`))
      const words = indexText(shown, database.dialect, payloads)
      return { sql, values: [String(id), words] }
    })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last['id'] ?? ''
    await write(database, statements)
  }
}

async function write(
  database: Database,
  statements: readonly Statement[],
): Promise<void> {
  if (statements.length === 0) return
  await database.write({ name: 'backup.restore', statements })
}

function damaged(what: string): StoreError {
  return new StoreError('corrupt', `The backup ${what}; use another one.`)
}

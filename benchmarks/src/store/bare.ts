import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'

type Value = string | number | null

/** The rows as they were written, and what changes of each when it ends. */
export interface BareRows {
  readonly columns: readonly string[]
  readonly started: readonly (readonly Value[])[]
  readonly ids: readonly string[]
}

const batch = 256
const endSql =
  'UPDATE runs SET state = ?, latency_ms = ?, answer = ?, decided = ?, failed_open = ? WHERE id = ?'
const ending: readonly Value[] = ['completed', 1.5, 'proceed', 0, 0]

/** The same rows by the driver alone, in transactions of the same size. */
export function writeBareSqlite(file: string, rows: BareRows): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL')
  const marks = rows.columns.map(() => '?').join(', ')
  const insert = database.prepare(
    `INSERT INTO runs (${rows.columns.join(', ')}) VALUES (${marks})`,
  )
  const update = database.prepare(endSql)
  const begun = performance.now()
  for (let from = 0; from < rows.ids.length; from += batch) {
    database.exec('BEGIN IMMEDIATE')
    for (const row of rows.started.slice(from, from + batch)) {
      const values: SQLInputValue[] = [...row]
      insert.run(...values)
    }
    database.exec('COMMIT')
    database.exec('BEGIN IMMEDIATE')
    for (const id of rows.ids.slice(from, from + batch)) {
      update.run(...ending, id)
    }
    database.exec('COMMIT')
  }
  const ms = performance.now() - begun
  database.close()
  return (rows.ids.length / ms) * 1_000
}

/** Many rows in one statement, and updates that wait for nothing between them. */
export async function writeBarePostgres(
  { url, schema }: { readonly url: string; readonly schema: string },
  rows: BareRows,
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`SET search_path TO "${schema}"`)
  const text = numbered(endSql)
  const begun = performance.now()
  for (let from = 0; from < rows.ids.length; from += batch) {
    const some = rows.started.slice(from, from + batch)
    await Promise.all([
      client.query('BEGIN'),
      client.query({
        name: `insert-${some.length}`,
        text: insertSql(rows.columns, some.length),
        values: some.flat(),
      }),
      client.query('COMMIT'),
    ])
    await Promise.all([
      client.query('BEGIN'),
      ...rows.ids
        .slice(from, from + batch)
        .map((id) =>
          client.query({ name: 'end', text, values: [...ending, id] }),
        ),
      client.query('COMMIT'),
    ])
  }
  const ms = performance.now() - begun
  await client.end()
  return (rows.ids.length / ms) * 1_000
}

function insertSql(columns: readonly string[], count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  const rows = Array.from({ length: count }, () => row).join(', ')
  return numbered(`INSERT INTO runs (${columns.join(', ')}) VALUES ${rows}`)
}

function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}

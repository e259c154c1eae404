import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { birthOf } from '../process-birth.ts'
import { StoreError } from '../store-error.ts'

// Each process that has the file open leaves a row in it and takes it away
// when it closes. A row of a process that is gone: it did not close.

const prefix = 'open/'

/** Checks the file if a process was killed while it had it open. */
export function checkAfterCrash(sqlite: DatabaseSync): void {
  const gone = readMarks(sqlite).filter(({ value }) => !isRunning(value))
  if (gone.length === 0) return
  const found = sqlite.prepare('PRAGMA quick_check(1)').get()
  if (found?.['quick_check'] !== 'ok') {
    throw new StoreError(
      'corrupt',
      `The database file is damaged; restore a backup. SQLite found: ${String(found?.['quick_check'])}`,
    )
  }
}

/** Whether a process that runs has the file open. */
export function hasOpeners(file: string): boolean {
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(file, { readOnly: true })
    return readMarks(sqlite).some(({ value }) => isRunning(value))
  } catch {
    // What cannot be read is open to nobody.
    return false
  } finally {
    sqlite?.close()
  }
}

/** Marks the file as open, and forgets those that are gone. */
export function leaveMark(sqlite: DatabaseSync): string {
  const key = prefix + randomUUID()
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    const forget = sqlite.prepare('DELETE FROM meta WHERE key = ?')
    for (const mark of readMarks(sqlite)) {
      if (!isRunning(mark.value)) forget.run(mark.key)
    }
    const insert = sqlite.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
    insert.run(key, thisProcess())
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
  return key
}

export function removeMark(sqlite: DatabaseSync, key: string): void {
  sqlite.prepare('DELETE FROM meta WHERE key = ?').run(key)
}

interface Mark {
  readonly key: string
  readonly value: string
}

function readMarks(sqlite: DatabaseSync): Mark[] {
  const table = sqlite
    .prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`)
    .get()
  if (table === undefined) return []
  const rows = sqlite
    .prepare('SELECT key, value FROM meta WHERE key >= ? AND key < ?')
    .all(prefix, `${prefix}~`)
  return rows.map(({ key, value }) => ({
    key: String(key),
    value: String(value),
  }))
}

/** A number may be given again to another process, but not in the same moment. */
function thisProcess(): string {
  return markOf(process.pid) ?? `${process.pid}`
}

function isRunning(mark: string): boolean {
  const pid = Number(mark.split(' ')[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  const now = markOf(pid)
  if (now !== undefined) return now === mark
  return process.platform !== 'linux' && canSignal(pid)
}

function markOf(pid: number): string | undefined {
  const birth = birthOf(pid)
  return birth && `${pid} ${birth.startedAt} ${birth.boot}`
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

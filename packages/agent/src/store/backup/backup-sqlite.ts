import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { failureOf } from '../sqlite/sqlite-failure.ts'
import { StoreError } from '../store-error.ts'
import { syncPath } from './move-aside.ts'
import {
  forgetOpenersSql,
  forgetWorkersSql,
  moveEventMarksSql,
  newLogName,
  readEpochSql,
  writeEpochSql,
} from './restore-marks.ts'
import { checkCopy, sealCopy, unsealSql } from './sqlite-seal.ts'

export interface CopyOptions {
  readonly from: string
  /** Must not be there yet. */
  readonly to: string
}

// All in one step: between two, a write of others would start it over.
const allPages = 2_147_483_647

/**
 * Copies a database that is in use: as it is at one moment, on another thread,
 * into a file that only its owner can read. It is there whole, or not at all.
 */
export async function backupSqlite({ from, to }: CopyOptions): Promise<void> {
  await make(to, async (part) => {
    const source = new DatabaseSync(from, { readOnly: true })
    try {
      await backup(source, part, { rate: allPages })
    } finally {
      source.close()
    }
    await sealCopy(part)
  })
}

/**
 * Puts a backup in the place of a database that is not there. What people had
 * agreed to before it was made counts no more.
 */
export async function restoreSqlite({ from, to }: CopyOptions): Promise<void> {
  await make(to, async (part) => {
    await refuseLive(from)
    await copyFile(from, part)
    await checkCopy(part, from)
    const copy = new DatabaseSync(part)
    try {
      const found = copy.prepare('PRAGMA integrity_check(1)').get()
      if (found?.['integrity_check'] !== 'ok') {
        const message = `The backup "${from}" is damaged: ${String(found?.['integrity_check'])}; use another one.`
        throw new StoreError('corrupt', message)
      }
      copy.exec(unsealSql)
      makeShrinkable(copy)
      const epoch = Number(copy.prepare(readEpochSql).get()?.['epoch'])
      copy.exec('BEGIN IMMEDIATE')
      copy.prepare(writeEpochSql).run(String(epoch + 1))
      copy.exec(forgetWorkersSql)
      copy.exec(forgetOpenersSql)
      renameLog(copy)
      copy.exec('COMMIT')
      copy.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      const { code, message } = failureOf(error, `The backup "${from}"`)
      throw new StoreError(code, message, error)
    } finally {
      copy.close()
    }
  })
}

/** One of an older program could never give anything back to the disk. */
function makeShrinkable(copy: DatabaseSync): void {
  const mode = copy.prepare('PRAGMA auto_vacuum').get()?.['auto_vacuum']
  if (mode !== 0) return
  copy.exec('PRAGMA auto_vacuum = INCREMENTAL')
  copy.exec('VACUUM')
}

/** Without its log, a database lacks what was written last. */
async function refuseLive(from: string): Promise<void> {
  const log = await stat(`${from}-wal`).catch(() => undefined)
  if (log === undefined || log.size === 0) return
  const message = `"${from}" is a database that is in use, or was not closed, and no backup of one; make one with "hookline backup".`
  throw new StoreError('invalid-options', message)
}

/** A backup of an older program has no log yet. */
function renameLog(copy: DatabaseSync): void {
  const sql = `SELECT 1 FROM sqlite_master WHERE name = 'event_marks'`
  if (copy.prepare(sql).get() === undefined) return
  const [moveHead, moveFloor] = moveEventMarksSql
  copy.prepare(moveHead).run(newLogName())
  copy.prepare(moveFloor).run()
}

/** Makes a file beside its place, and puts it there when it is safe. */
async function make(
  to: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${to}.part`
  await refuseExisting(to)
  await rm(part, { force: true })
  try {
    // Before there is anything in it that others must not read.
    await (await open(part, 'wx', 0o600)).close()
    await write(part)
    await chmod(part, 0o600)
    await syncPath(part)
    await refuseExisting(to)
    await rename(part, to)
    await syncPath(dirname(to))
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) {
      await rm(part + end, { force: true })
    }
  }
}

async function refuseExisting(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (handle === undefined) return
  await handle.close()
  const message = `There is a file "${file}" already; move it away first.`
  throw new StoreError('exists', message)
}

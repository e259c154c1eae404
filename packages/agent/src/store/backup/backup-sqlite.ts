import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'
import {
  forgetOpenersSql,
  forgetWorkersSql,
  readEpochSql,
  writeEpochSql,
} from './restore-marks.ts'

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
  })
}

/**
 * Puts a backup in the place of a database that is not there. What people had
 * agreed to before it was made counts no more.
 */
export async function restoreSqlite({ from, to }: CopyOptions): Promise<void> {
  await make(to, async (part) => {
    await copyFile(from, part)
    const copy = new DatabaseSync(part)
    try {
      const found = copy.prepare('PRAGMA quick_check(1)').get()
      if (found?.['quick_check'] !== 'ok') {
        const message = `The backup "${from}" is damaged: ${String(found?.['quick_check'])}.`
        throw new StoreError('corrupt', message)
      }
      const epoch = Number(copy.prepare(readEpochSql).get()?.['epoch'])
      copy.exec('BEGIN IMMEDIATE')
      copy.prepare(writeEpochSql).run(String(epoch + 1))
      copy.exec(forgetWorkersSql)
      copy.exec(forgetOpenersSql)
      copy.exec('COMMIT')
      copy.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      copy.close()
    }
  })
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
    await sync(part)
    await refuseExisting(to)
    await rename(part, to)
    await sync(dirname(to))
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

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { backupSqlite, restoreSqlite } from '../backup/backup-sqlite.ts'
import type { Database } from '../database.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { createRetention } from './create-retention.ts'
import { fill, job } from './fixtures/fill.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-space-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const megabyte = 1_048_576

/** Jobs that ended long ago, 4 kB each. */
async function fillJobs(database: Database, count: number): Promise<void> {
  const payload = JSON.stringify('x'.repeat(4_000))
  const jobs = Array.from({ length: count }, (_, at) =>
    job(`j${at}`, { payload, ended_at: 0 }),
  )
  await fill(database, 'jobs', jobs)
}

const rules = { jobs: { maxAgeMs: 0 } }
const sizeOf = (file: string) => statSync(file).size / megabyte

test('what retention removes from a SQLite file is given back to the disk, in several passes if there is much', async () => {
  const file = join(folder, 'store.db')
  const database = await openSqlite({ file })
  await fillJobs(database, 24_000)
  await database.close()
  const full = sizeOf(file)
  expect(full).toBeGreaterThan(95)

  const sizes: number[] = []
  for (let pass = 0; pass < 2; pass++) {
    const again = await openSqlite({ file })
    await createRetention(makeParts(again), rules).run()
    await again.close()
    sizes.push(sizeOf(file))
  }
  const [first = 0, second = 0] = sizes
  // 20 000 pages at a time; a thousand are kept for what comes next.
  expect(full - first).toBeGreaterThan(75)
  expect(full - first).toBeLessThan(85)
  expect(second).toBeLessThan(8)
  expect(second).toBeGreaterThan(3)
}, 120_000)

test('a file from before stays as it is, and can give back once it was restored', async () => {
  const file = join(folder, 'old.db')
  const database = await openSqlite({ file })
  await fillJobs(database, 2_500)
  await database.close()
  const old = new DatabaseSync(file)
  old.exec('PRAGMA journal_mode = DELETE')
  old.exec('PRAGMA auto_vacuum = NONE')
  old.exec('VACUUM')
  old.close()
  const before = await openSqlite({ file })
  await createRetention(makeParts(before), rules).run()
  await before.close()
  expect(sizeOf(file)).toBeGreaterThan(9)

  const copy = join(folder, 'copy.db')
  await backupSqlite({ from: file, to: copy })
  const to = join(folder, 'restored.db')
  await restoreSqlite({ from: copy, to })
  expect(sizeOf(to)).toBeLessThan(2)
  const restored = await openSqlite({ file: to })
  await fillJobs(restored, 5_000)
  await createRetention(makeParts(restored), rules).run()
  await restored.close()
  expect(sizeOf(to)).toBeLessThan(8)
}, 120_000)

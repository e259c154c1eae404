import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { benchOn } from '../approvals/fixtures/approval-bench.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { textEvent } from '../events/fixtures/text-event.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createMemories } from '../memories/memories.ts'
import { fill, fillSession } from '../retention/fixtures/fill.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { readOnly, readRows } from '../runs/fixtures/read-rows.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { backupSqlite, restoreSqlite } from './backup-sqlite.ts'
import { allBackupTables } from './backup-tables.ts'
import { exportStore } from './export-store.ts'
import {
  createShared,
  dump,
  exported,
  fillStore,
} from './fixtures/filled-store.ts'
import { isRestoring, restoreStore } from './restore-store.ts'

const epoch = "SELECT value FROM meta WHERE key = 'epoch'"

forEachDatabase((kit) => {
  test('what was exported is restored, row by row, into an empty store', async () => {
    const database = await kit.open()
    await fillStore(database)
    const before = await dump(database)
    for (const [table, rows] of Object.entries(before)) {
      expect(rows.length, table).toBeGreaterThan(0)
    }
    const restored = await kit.open()
    const parts = makeParts(restored)
    await restoreStore(parts, await exported(database))
    expect(await dump(restored)).toEqual(before)
    expect(await readRows(restored, 'SELECT id FROM workers')).toEqual([])
    expect(await isRestoring(restored)).toBe(false)
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 20 })
    const found = await createMemories(parts).recall('main', 'tea')
    expect(found.map(({ name }) => name)).toEqual(['ann'])
  })

  test('every table is backed up, or says why not', async () => {
    const database = await kit.open()
    const sql =
      kit.name === 'sqlite'
        ? `SELECT name FROM sqlite_master WHERE type = 'table'
           AND name NOT LIKE 'memory_%'`
        : `SELECT table_name AS name FROM information_schema.tables
           WHERE table_schema = current_schema()
           AND table_name NOT LIKE 'memory_%'`
    const names = (await readRows(database, sql)).map(({ name }) => name)
    // Of the database itself, of processes, and what a restore makes anew.
    const others = ['migrations', 'commits', 'workers', 'event_marks']
    expect(names.length).toBeGreaterThan(15)
    const known = [...allBackupTables, ...others]
    for (const name of names) expect(known).toContain(name)
  })

  test('events that were restored can be read; the log goes on behind them, and old cursors are known as such', async () => {
    const database = await kit.open()
    await fillStore(database)
    const { events } = createShared(makeParts(database))
    const { next: old } = await events.read({ limit: 10 })
    const restored = await kit.open()
    const parts = makeParts(restored)
    await restoreStore(parts, await exported(database))
    const again = createShared(parts).events
    const { items, isReset } = await again.read({ after: old })
    expect(isReset).toBe(true)
    expect(items).toHaveLength(150)
    await again.append([textEvent('s2', 150)])
    const all = await again.read()
    expect(all.items.at(-1)).toMatchObject({ event: { seq: 150 } })
    expect(all.items).toHaveLength(151)
  })

  test('approvals from before a restore are void', async () => {
    const database = await kit.open()
    const bench = benchOn(database)
    const question = bench.question()
    const { controller } = await bench.ask(question)
    const lines = await exported(database)
    controller.abort()
    await bench.approvals.close()
    const restored = await kit.open()
    await restoreStore(makeParts(restored), lines)
    const later = benchOn(restored)
    const open = JSON.stringify(await later.approvals.pending())
    expect(open).not.toContain(question.id)
    const outcome = await later.answer(question.id, { type: 'allow' })
    expect(outcome.type).not.toBe('accepted')
    const used = await later.approvals.consume(question.id, question.call.seal)
    expect(used.type).not.toBe('valid')
    await later.approvals.close()
  })

  test('each restore begins an epoch that neither side has had', async () => {
    const database = await kit.open()
    await fill(database, 'meta', [{ key: 'epoch', value: '4' }])
    const restored = await kit.open()
    await restoreStore(makeParts(restored), await exported(database))
    expect(await readOnly(restored, epoch)).toEqual({ value: '5' })
    const again = await kit.open()
    await fill(again, 'meta', [{ key: 'epoch', value: '9' }])
    await restoreStore(makeParts(again), await exported(restored))
    expect(await readOnly(again, epoch)).toEqual({ value: '10' })
  })

  test('a store that has something in it is not overwritten', async () => {
    const database = await kit.open()
    await fillSession(database, 's1')
    const lines = await exported(database)
    await expect(
      restoreStore(makeParts(database), lines),
    ).rejects.toMatchObject({
      code: 'exists',
    })
    expect(await readRows(database, 'SELECT id FROM sessions')).toHaveLength(1)
  })

  test('a backup that is cut, changed or of another version is not restored', async () => {
    const database = await kit.open()
    await fillStore(database)
    const lines = await exported(database)
    const damaged: Record<string, string[]> = {
      cut: lines.slice(0, -1),
      'without a head': lines.slice(1),
      'without a line': lines.toSpliced(3, 1),
      edited: lines.map((line) => line.replace('"main"', '"evil"')),
      'not JSON': [
        ...lines.slice(0, 2),
        '{"type":"rows","ta',
        ...lines.slice(3),
      ],
      'of a table that is none': lines.map((line) =>
        line.replace('"table":"runs"', '"table":"runs; DROP TABLE runs"'),
      ),
    }
    const target = await kit.open()
    for (const [name, changed] of Object.entries(damaged)) {
      const restoring = restoreStore(makeParts(target), changed)
      await expect(restoring, name).rejects.toMatchObject({ code: 'corrupt' })
      const left = Object.values(await dump(target)).flat()
      expect(left, name).toEqual([])
    }
    const newer = lines.map((line) =>
      line.replace(/"schema":\d+/, '"schema":1000'),
    )
    await expect(restoreStore(makeParts(target), newer)).rejects.toMatchObject({
      code: 'newer-schema',
    })
    await restoreStore(makeParts(target), lines)
  })

  test('a restore that was interrupted can be begun again', async () => {
    const database = await kit.open()
    await fillStore(database)
    const lines = await exported(database)
    const target = await kit.open()
    const half = await kit.reopen(target)
    async function* interrupted() {
      yield* lines.slice(0, 8)
      await half.close()
      yield* lines.slice(8)
    }
    const restoring = restoreStore(makeParts(half), interrupted())
    await expect(restoring).rejects.toMatchObject({ code: 'closed' })
    expect(await isRestoring(target)).toBe(true)
    await restoreStore(makeParts(target), lines)
    expect(await dump(target)).toEqual(await dump(database))
    expect(await readOnly(target, epoch)).toEqual({ value: '2' })
  })

  test('what is written while a store is exported is in no part of it', async () => {
    const database = await kit.open()
    await fillStore(database)
    const before = await dump(database)
    const lines: string[] = []
    for await (const line of exportStore({ database })) {
      lines.push(line)
      const isFirst = lines.length === 1
      if (!isFirst && !line.includes('"table":"sessions"')) continue
      const entry = { session_id: 's1', at: 0, type: 'turn-end', payload: '{}' }
      const seq = 250 + lines.length
      await fill(database, 'journal', [{ ...entry, seq }])
      const last = 'WHERE seq = (SELECT MAX(seq) FROM audit)'
      const statements = ['inbox', 'firings', 'attempts', `audit ${last}`].map(
        (from) => ({ sql: `DELETE FROM ${from}`, values: [] }),
      )
      await database.write({ name: 'test.work', statements })
    }
    const restored = await kit.open()
    await restoreStore(makeParts(restored), lines)
    expect(await dump(restored)).toEqual(before)
    expect(await dump(database)).not.toEqual(before)
  })

  test('retention begins anew where a backup was restored', async () => {
    const database = await kit.open()
    const place = { key: 'retention.runs', value: '{"time":5,"id":"r"}' }
    const other = { key: 'other', value: 'kept' }
    await fill(database, 'meta', [place, other])
    const restored = await kit.open()
    await restoreStore(makeParts(restored), await exported(database))
    const keys = `SELECT key FROM meta
WHERE key LIKE 'retention.%' OR key = 'other'`
    expect(await readRows(restored, keys)).toEqual([{ key: 'other' }])
  })
})

describe('a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-backup-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is copied while it is in use, for its owner alone, and restored', async () => {
    const file = join(folder, 'store.db')
    const to = join(folder, 'backup.db')
    const database = await openSqlite({ file })
    await fillStore(database)
    let isDone = false
    let written = 0
    const busy = (async () => {
      while (!isDone) {
        await fill(database, 'meta', [{ key: `k${written++}`, value: '' }])
      }
    })()
    await backupSqlite({ from: file, to })
    isDone = true
    await busy
    expect(statSync(to).mode & 0o777).toBe(0o600)
    expect(existsSync(`${to}.part`)).toBe(false)
    const before = await dump(database)
    const cursor = await createShared(makeParts(database)).events.head()
    await database.close()

    const back = join(folder, 'restored.db')
    await restoreSqlite({ from: to, to: back })
    expect(statSync(back).mode & 0o777).toBe(0o600)
    const restored = await openSqlite({ file: back })
    expect(await dump(restored)).toEqual(before)
    expect(await readOnly(restored, epoch)).toEqual({ value: '1' })
    expect(await readRows(restored, 'SELECT id FROM workers')).toEqual([])
    const { events } = createShared(makeParts(restored))
    const page = await events.read({ after: cursor })
    expect(page.isReset).toBe(true)
    expect(page.items).toHaveLength(150)
    await restored.close()
  })

  test('is not put in the place of another', async () => {
    const file = join(folder, 'other.db')
    await (await openSqlite({ file })).close()
    const error = { code: 'exists' }
    const to = file
    await expect(backupSqlite({ from: file, to })).rejects.toMatchObject(error)
    await expect(restoreSqlite({ from: file, to })).rejects.toMatchObject(error)
  })

  test('that is damaged is not restored', async () => {
    const file = join(folder, 'damaged.db')
    const database = await openSqlite({ file })
    await fillStore(database)
    await database.close()
    const copy = join(folder, 'damaged-backup.db')
    await backupSqlite({ from: file, to: copy })
    chmodSync(copy, 0o600)
    const whole = readFileSync(copy)
    const to = join(folder, 'never.db')
    const refused = async (bytes: Uint8Array, why: string) => {
      writeFileSync(copy, bytes)
      await expect(restoreSqlite({ from: copy, to })).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining(why),
      })
      expect(existsSync(to)).toBe(false)
      expect(existsSync(`${to}.part`)).toBe(false)
    }
    await refused(whole.subarray(0, 40_000), 'cut off')
    await refused(whole.subarray(0, -1), `"${copy}" is cut off: 1 bytes`)
    await refused(whole.subarray(0, -4_095), 'cut off')
    // In the middle of a text, where SQLite itself sees nothing.
    const at = whole.indexOf('Ann likes green tea.')
    expect(at).toBeGreaterThan(0)
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    await refused(flipped, 'is not as it was written')
    // One that was copied otherwise carries no hash; SQLite looks at its pages.
    const unsealed = Buffer.from(whole)
    for (const place of [60, 68]) unsealed.fill(0, place, place + 4)
    unsealed.fill(0xff, 3 * 4_096, 12 * 4_096)
    await refused(unsealed, 'damaged')
    writeFileSync(copy, whole)
    await restoreSqlite({ from: copy, to })
  })

  test('that is in use is no backup: what was written last is beside it', async () => {
    const file = join(folder, 'live.db')
    const database = await openSqlite({ file })
    await fillSession(database, 's1')
    const to = join(folder, 'from-live.db')
    await expect(restoreSqlite({ from: file, to })).rejects.toThrow(
      'hookline backup',
    )
    await database.close()
  })
})

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { benchOn } from '../approvals/fixtures/approval-bench.ts'
import { createAudit } from '../audit/create-audit.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createMemories } from '../memories/memories.ts'
import { fill, fillSession, job } from '../retention/fixtures/fill.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended, started } from '../runs/fixtures/make-runs.ts'
import { readOnly, readRows } from '../runs/fixtures/read-rows.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { backupSqlite, restoreSqlite } from './backup-sqlite.ts'
import { allBackupTables } from './backup-tables.ts'
import { exportStore } from './export-store.ts'
import { isRestoring, restoreStore } from './restore-store.ts'

/** Something in every table. */
async function fillStore(database: Database) {
  const parts = makeParts(database)
  await fillSession(database, 's1', { endedAt: 5, entries: 250 })
  await fillSession(database, 's2')
  const bench = benchOn(database)
  const question = bench.question()
  const { answered } = await bench.ask(question)
  await bench.answer(question.id, { type: 'allow', lasts: 'always' })
  await answered
  await bench.approvals.close()
  await fill(database, 'jobs', [job('j1', {})])
  const about = { run_id: 'r', attempt: 1, state: 'failed', started_at: 0 }
  await fill(database, 'attempts', [about])
  const odd = 'odd \u0000 \ud800 "\u001a"'
  const cell = { scope: 'agent', scope_id: 'main', name: odd, version: 1 }
  await fill(database, 'cells', [{ ...cell, updated_at: 0, payload: '{}' }])
  const removal = { id: 'x', at: 0, kind: 'runs', rows_removed: 1 }
  await fill(database, 'removals', [{ ...removal, reason: 'retention' }])
  const worker = { id: 'w1', name: 'w', started_at: 0, leased_until: 1 }
  await fill(database, 'workers', [worker])
  const records = createRunRecords(parts, { content: 'full' })
  for (let at = 0; at < 150; at++) {
    records.start(started({ dispatch: `d${at}` }))
    records.end(ended({ dispatch: `d${at}`, latencyMs: 0.1 + at }))
  }
  await records.flush()
  const audit = createAudit(parts)
  for (let at = 0; at < 20; at++) audit.record({ kind: 'k', body: { at } })
  await audit.flush()
  const text = 'Ann likes green tea.'
  await createMemories(parts).remember('main', 'ann', { text })
}

async function dump(database: Database) {
  const tables = allBackupTables.filter((table) => table !== 'meta')
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await readRows(database, `SELECT * FROM ${table}`)
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return all
}

async function exported(database: Database) {
  const lines: string[] = []
  for await (const line of exportStore({ database })) lines.push(line)
  return lines
}

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
    const newer = lines.map((line) => line.replace('"schema":1', '"schema":2'))
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

  test('a session that goes on while it is exported is as it was at one moment', async () => {
    const database = await kit.open()
    await fillSession(database, 's1', { entries: 150 })
    const lines: string[] = []
    for await (const line of exportStore({ database })) {
      lines.push(line)
      if (!line.includes('"table":"sessions"')) continue
      const entry = { session_id: 's1', at: 0, type: 'turn-end', payload: '{}' }
      await fill(database, 'journal', [{ ...entry, seq: 151 }])
    }
    const restored = await kit.open()
    await restoreStore(makeParts(restored), lines)
    const seqs = 'SELECT MAX(seq) AS last, COUNT(*) AS count FROM journal'
    expect(await readOnly(restored, seqs)).toEqual({ last: 150, count: 150 })
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
    await database.close()

    const back = join(folder, 'restored.db')
    await restoreSqlite({ from: to, to: back })
    expect(statSync(back).mode & 0o777).toBe(0o600)
    const restored = await openSqlite({ file: back })
    expect(await dump(restored)).toEqual(before)
    expect(await readOnly(restored, epoch)).toEqual({ value: '1' })
    expect(await readRows(restored, 'SELECT id FROM workers')).toEqual([])
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
    truncateSync(copy, 40_000)
    const to = join(folder, 'never.db')
    await expect(restoreSqlite({ from: copy, to })).rejects.toThrow()
    expect(existsSync(to)).toBe(false)
    expect(existsSync(`${to}.part`)).toBe(false)
  })
})

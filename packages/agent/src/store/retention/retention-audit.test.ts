import { expect, test } from 'vitest'
import type { AuditHead } from '../audit/audit-record.ts'
import { createAudit } from '../audit/create-audit.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { readOnly, readRows } from '../runs/fixtures/read-rows.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRetention } from './create-retention.ts'

const day = 86_400_000

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  /** A chain of so many records, anchored every ten, one record a day. */
  async function setUp(length: number, key?: string) {
    const parts = makeParts(await open())
    const anchors: AuditHead[] = []
    const audit = createAudit(parts, {
      anchor: (head) => void anchors.push(head),
      anchorEvery: 10,
      maxWaiting: 100_000,
      ...(key !== undefined && { key }),
    })
    for (let at = 0; at < length; at++) {
      audit.record({ kind: 'k', body: { at } })
      parts.clock.setWall(day * at)
      if (at % 10 === 9) await audit.flush()
    }
    await audit.flush()
    const log = {
      audit,
      anchors: async () => anchors,
      ...(key !== undefined && { key }),
    }
    return { parts, database: parts.database, anchors, audit, log }
  }

  const ends = 'SELECT MIN(seq) AS first, MAX(seq) AS last FROM audit'

  test('the beginning goes up to an anchor, and the rest is verified as before', async () => {
    const { parts, database, anchors, audit, log } = await setUp(100, 'k1')
    await kit.setNow(database, day * 100)
    const rules = { audit: { maxAgeMs: day * 55 } }
    const retention = createRetention(parts, rules, { audit: log })
    expect(await retention.run()).toEqual({ audit: 40 })
    await audit.flush()
    // One record says that others were cut off, another what retention did.
    expect(await readOnly(database, ends)).toEqual({ first: 41, last: 102 })
    const report = await verifyAudit(parts, { anchors, key: 'k1' })
    expect(report).toMatchObject({ isIntact: true, from: 41, upTo: 102 })
    const removal = 'SELECT kind, rows_removed FROM removals'
    const removed = { kind: 'audit', rows_removed: 40 }
    expect(await readOnly(database, removal)).toEqual(removed)
    await kit.setNow(database, day * 120)
    expect(await retention.run()).toEqual({ audit: 20 })
    await audit.flush()
    const again = await verifyAudit(parts, { anchors, key: 'k1' })
    expect(again).toMatchObject({ isIntact: true, from: 61, upTo: 104 })
  })

  test('so many of the newest records are kept', async () => {
    const { parts, database, log } = await setUp(100)
    const rules = { audit: { maxRows: 35 } }
    const retention = createRetention(parts, rules, { audit: log })
    expect(await retention.run()).toEqual({ audit: 60 })
    expect(await readOnly(database, ends)).toMatchObject({ first: 61 })
  })

  test('thousands of records go in several units', async () => {
    const { parts, anchors, audit, log } = await setUp(2_500)
    const rules = { audit: { maxRows: 0 } }
    const retention = createRetention(parts, rules, { audit: log })
    expect(await retention.run()).toEqual({ audit: 2_490 })
    await audit.flush()
    const report = await verifyAudit(parts, { anchors })
    expect(report).toMatchObject({ isIntact: true, from: 2_491 })
    const sql =
      "SELECT COUNT(*) AS count FROM audit WHERE kind = 'audit.removed'"
    expect(await readOnly(parts.database, sql)).toEqual({ count: 3 })
  })

  test('what is not anchored stays, however old it is', async () => {
    const { parts, database, audit } = await setUp(50)
    await kit.setNow(database, day * 1_000)
    const rules = { audit: { maxAgeMs: day } }
    const log = { audit, anchors: async () => [] }
    expect(await createRetention(parts, rules, { audit: log }).run()).toEqual(
      {},
    )
  })

  test('a beginning that somebody has changed is not removed: it is evidence', async () => {
    const { parts, database, log } = await setUp(50)
    const sql = "UPDATE audit SET actor = 'eve' WHERE seq = 7"
    const statements = [{ sql, values: [] }]
    await database.write({ name: 'test.tamper', statements })
    const rules = { audit: { maxRows: 10 } }
    const retention = createRetention(parts, rules, { audit: log })
    await expect(retention.run()).rejects.toMatchObject({ code: 'corrupt' })
    expect(await readRows(database, ends)).toMatchObject([{ first: 1 }])
  })

  test('T56 whoever removes a beginning without a record of it is found out', async () => {
    const { parts, database, anchors, audit, log } = await setUp(50)
    const rules = { audit: { maxRows: 30 } }
    await createRetention(parts, rules, { audit: log }).run()
    await audit.flush()
    const statements = [
      { sql: 'DELETE FROM audit WHERE seq <= 30', values: [] },
    ]
    await database.write({ name: 'test.tamper', statements })
    const { problem } = await verifyAudit(parts, { anchors })
    expect(problem).toMatchObject({ what: 'missing', seq: 30 })
  })

  test('audit records are not removed without the log that records it', () => {
    const make = () => createRetention({} as never, { audit: { maxRows: 1 } })
    expect(make).toThrow('retention needs the audit log')
  })
})

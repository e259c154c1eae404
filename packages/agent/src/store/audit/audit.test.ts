import { expect, test } from 'vitest'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { away, makeFaulty } from '../runs/fixtures/faulty-database.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { readOnly, readRows } from '../runs/fixtures/read-rows.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import type { AuditHead } from './audit-record.ts'
import { createAudit } from './create-audit.ts'
import { formatAudit } from './format-audit.ts'
import { readAudit, verifyAudit } from './verify-audit.ts'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('anybody can check the chain: each hash is over the one before and the record', async () => {
    const parts = makeParts(await open())
    const audit = createAudit(parts)
    audit.record({ kind: 'a', actor: 'ann', sessionId: 's', body: { x: 1 } })
    audit.record({ kind: 'b' })
    await audit.flush()
    let previous = '0'.repeat(64)
    let count = 0
    for await (const record of readAudit(parts)) {
      count++
      const { seq, at, kind, actor, sessionId: session } = record
      expect(seq).toBe(count)
      const body: unknown = JSON.parse(record.body)
      const text = canonicalJson({ seq, at, kind, actor, session, body })
      expect(record.hash).toBe(sha256(previous + text))
      expect(record.previous).toBe(previous)
      previous = record.hash
    }
    expect(count).toBe(2)
  })

  test('secrets are taken out before anything is hashed or written', async () => {
    const parts = makeParts(await open())
    const audit = createAudit(parts)
    const actor = `ann ${secret}`
    audit.record({ kind: `k ${secret}`, actor, body: { deep: [secret] } })
    await audit.flush()
    const row = await readOnly(parts.database, 'SELECT * FROM audit')
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(row).toMatchObject({ body: '{"deep":["[redacted]"]}' })
  })

  test('T60 of sensitive values there are keyed hashes; without a key nothing', async () => {
    const parts = makeParts(await open())
    const keyed = createAudit(parts, { key: 'k1' })
    keyed.record({ kind: 'a', sensitive: { pin: '1234' } })
    keyed.record({ kind: 'b', sensitive: { pin: '1234' } })
    await keyed.flush()
    const plain = createAudit(parts)
    plain.record({ kind: 'c', sensitive: { pin: '1234' } })
    await plain.flush()
    const rows = await readRows(
      parts.database,
      'SELECT body FROM audit ORDER BY seq',
    )
    const [first, second, third] = rows.map(({ body }) => String(body))
    expect(first).toMatch(/^\{"sensitive":\{"pin":"[0-9a-f]{64}"\}\}$/)
    expect(second).toBe(first)
    expect(first).not.toContain(sha256(canonicalJson('1234')))
    expect(third).toBe('{"sensitive":{"pin":"withheld"}}')
  })

  test('a body that is too large is cut, and says so', async () => {
    const parts = makeParts(await open())
    const audit = createAudit(parts)
    audit.record({ kind: 'a', body: { text: 'x'.repeat(100_000) } })
    await audit.flush()
    const row = await readOnly(parts.database, 'SELECT body FROM audit')
    const body: unknown = JSON.parse(String(row['body']))
    expect(body).toMatchObject({ cut: 100_011 })
    expect(String(row['body']).length).toBeLessThan(2_000)
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 1 })
  })

  test('several processes append at the same time: no gap, nothing lost, nothing twice', async () => {
    const database = await kit.open()
    const writers = 4
    const rounds = 20
    const parts = await Promise.all(
      Array.from({ length: writers }, async (_, at) =>
        makeParts(await kit.reopen(database), `w${at}`),
      ),
    )
    await Promise.all(
      parts.map(async (one) => {
        const audit = createAudit(one)
        for (let round = 0; round < rounds; round++) {
          audit.record({ kind: 'k', actor: one.worker, body: { round } })
          await audit.flush()
        }
      }),
    )
    const rows = await readRows(
      database,
      'SELECT seq, actor, body FROM audit ORDER BY seq',
    )
    expect(rows.map(({ seq }) => seq)).toEqual(
      Array.from({ length: writers * rounds }, (_, at) => at + 1),
    )
    for (const { worker } of parts) {
      const own = rows.filter(({ actor }) => actor === worker)
      expect(own.map(({ body }) => body)).toEqual(
        Array.from({ length: rounds }, (_, round) => `{"round":${round}}`),
      )
    }
    const report = await verifyAudit({ database })
    expect(report).toMatchObject({ isIntact: true, upTo: writers * rounds })
  })

  test('entries whose answer was lost are there once', async () => {
    const database = makeFaulty(await open())
    const parts = makeParts(database)
    const audit = createAudit(parts)
    database.loseAnswers(true)
    audit.record({ kind: 'a' })
    audit.record({ kind: 'b' })
    await expect(audit.flush()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(audit.flush()).resolves.toBeUndefined()
    database.loseAnswers(false)
    audit.record({ kind: 'c' })
    await audit.flush()
    const rows = await readRows(database, 'SELECT kind FROM audit ORDER BY seq')
    expect(rows.map(({ kind }) => kind)).toEqual(['a', 'b', 'c'])
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 3 })
  })

  test('F210 a log that is not required loses what it has no room for, and counts it', async () => {
    const database = makeFaulty(await open())
    const parts = makeParts(database)
    const audit = createAudit(parts, { maxWaiting: 10 })
    database.failWith(away)
    for (let at = 0; at < 15; at++) audit.record({ kind: `k${at}` })
    expect(audit.hasRoom).toBe(false)
    await expect(audit.flush()).rejects.toMatchObject({ code: 'unavailable' })
    database.failWith(undefined)
    await expect(audit.flush()).rejects.toThrow('5 audit entries were lost')
    const rows = await readRows(
      database,
      'SELECT kind, body FROM audit ORDER BY seq',
    )
    expect(rows).toHaveLength(11)
    expect(rows.at(-1)).toEqual({ kind: 'audit.gap', body: '{"lost":5}' })
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 11 })
    audit.record({ kind: 'after' })
    await audit.flush()
  })

  test('F210 what was lost is counted once, and what was kept is there once, also where answers are lost', async () => {
    const database = makeFaulty(await open())
    const parts = makeParts(database)
    const audit = createAudit(parts, { maxWaiting: 3 })
    database.failWith(away)
    for (const kind of ['a', 'b', 'c', 'd', 'e']) audit.record({ kind })
    await expect(audit.flush()).rejects.toMatchObject({ code: 'unavailable' })
    database.failWith(undefined)
    database.loseAnswers(true)
    await expect(audit.flush()).rejects.toMatchObject({ code: 'unavailable' })
    audit.record({ kind: 'f' })
    await expect(audit.flush()).rejects.toThrow('3 audit entries were lost')
    database.loseAnswers(false)
    await audit.flush()
    const rows = await readRows(
      database,
      'SELECT kind, body FROM audit ORDER BY seq',
    )
    const kept = ['a', 'b', 'c'].map((kind) => ({ kind, body: '{}' }))
    const gaps = [2, 1].map((lost) => {
      return { kind: 'audit.gap', body: `{"lost":${lost}}` }
    })
    expect(rows).toEqual([...kept, ...gaps])
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 5 })
  })

  test('F210 a log that is required refuses what it has no room for, until there is room', async () => {
    const database = makeFaulty(await open())
    const audit = createAudit(makeParts(database), {
      isRequired: true,
      maxWaiting: 2,
    })
    database.failWith(away)
    audit.record({ kind: 'a' })
    audit.record({ kind: 'b' })
    expect(() => audit.record({ kind: 'c' })).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    )
    database.failWith(undefined)
    await expect(audit.flush()).rejects.toThrow('1 audit entries were lost')
    expect(audit.hasRoom).toBe(true)
    audit.record({ kind: 'd' })
    await audit.flush()
    const rows = await readRows(database, 'SELECT kind FROM audit ORDER BY seq')
    expect(rows.map(({ kind }) => kind)).toEqual(['a', 'b', 'audit.gap', 'd'])
  })

  test('F213 a broken last record is sealed off by a record that says so', async () => {
    const parts = makeParts(await open())
    const audit = createAudit(parts)
    for (const kind of ['a', 'b', 'c']) audit.record({ kind })
    await audit.flush()
    const sql = "UPDATE audit SET body = '{\"half' WHERE seq = 3"
    const statements = [{ sql, values: [] }]
    await parts.database.write({ name: 'test.break', statements })
    expect(await verifyAudit(parts)).toMatchObject({
      isIntact: false,
      upTo: 2,
      problem: { seq: 3, what: 'edited' },
    })
    const later = createAudit(parts)
    later.record({ kind: 'd' })
    await later.flush()
    const rows = await readRows(
      parts.database,
      'SELECT kind, body FROM audit ORDER BY seq',
    )
    expect(rows.at(3)).toEqual({
      kind: 'audit.recovered',
      body: '{"broken":3}',
    })
    const report = await verifyAudit(parts)
    expect(report).toMatchObject({ isIntact: true, upTo: 5, recovered: [3] })
    const third = createAudit(parts)
    third.record({ kind: 'e' })
    await third.flush()
    const again = await verifyAudit(parts)
    expect(again).toMatchObject({ isIntact: true, upTo: 6, recovered: [3] })
  })

  test('the end of the chain is anchored after so many records, after so long, and at the close', async () => {
    const parts = makeParts(await open())
    const anchors: AuditHead[] = []
    const audit = createAudit(parts, {
      anchor: (head) => void anchors.push(head),
      anchorEvery: 10,
      anchorMs: 1_000,
    })
    const append = async (count: number) => {
      for (let at = 0; at < count; at++) audit.record({ kind: 'k' })
      await audit.flush()
    }
    const seqs = () => anchors.map(({ seq }) => seq)
    await append(9)
    expect(seqs()).toEqual([])
    await append(1)
    expect(seqs()).toEqual([10])
    await append(3)
    await parts.clock.advance(1_000)
    expect(seqs()).toEqual([10, 13])
    await append(1)
    await audit.close()
    expect(seqs()).toEqual([10, 13, 14])
    expect(parts.clock.pending).toBe(0)
    expect(await verifyAudit(parts, { anchors })).toMatchObject({
      isIntact: true,
      upTo: 14,
      anchoredUpTo: 14,
    })
  })

  test('an anchor that fails is on record once, and is tried again', async () => {
    const parts = makeParts(await open())
    const anchors: AuditHead[] = []
    let isAway = true
    const audit = createAudit(parts, {
      anchor(head) {
        if (isAway) throw new Error(`No disk: ${secret}`)
        anchors.push(head)
      },
      anchorEvery: 1_000,
      anchorMs: 1_000,
    })
    audit.record({ kind: 'a' })
    await audit.flush()
    await parts.clock.advance(3_500)
    await audit.flush()
    const rows = await readRows(
      parts.database,
      'SELECT kind, body FROM audit ORDER BY seq',
    )
    expect(rows).toEqual([
      { kind: 'a', body: '{}' },
      { kind: 'audit.anchor-failed', body: '{"reason":"No disk: [redacted]"}' },
    ])
    isAway = false
    await parts.clock.advance(1_000)
    expect(anchors.map(({ seq }) => seq)).toEqual([2])
  })

  test('F215 nothing in a record forges a line or steers a terminal when it is shown', async () => {
    const parts = makeParts(await open())
    const audit = createAudit(parts)
    const steering = ['\n', '\r', '\u001b', '\u009b', '\u202e', '\u2028']
    const hostile = `a ${steering.join(' 2 1970 allowed ')}[2J`
    audit.record({
      kind: hostile,
      actor: hostile,
      sessionId: hostile,
      body: { [hostile]: hostile },
    })
    await audit.flush()
    for await (const record of readAudit(parts)) {
      const line = formatAudit(record)
      const left = steering.filter((char) => line.includes(char))
      expect(left).toEqual([])
    }
    expect(await verifyAudit(parts)).toMatchObject({ isIntact: true, upTo: 1 })
  })
})

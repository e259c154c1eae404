import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeRatio } from '../../../../core/fixtures/time-ratio.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { type AuditRecord, hashBroken } from './audit-record.ts'
import { createAudit } from './create-audit.ts'
import { makeChain, relink } from './fixtures/make-chain.ts'
import { verifyAudit } from './verify-audit.ts'

const length = 40
const chain = makeChain(length)
const anchors = [10, 20, 30].map((seq) => chain[seq - 1] as AuditRecord)

test('a chain that nobody touched is intact, up to its last record', async () => {
  expect(await verifyAudit(chain, { anchors })).toEqual({
    isIntact: true,
    from: 1,
    upTo: length,
    anchoredUpTo: 30,
    recovered: [],
    problem: undefined,
  })
  expect(await verifyAudit([])).toMatchObject({ isIntact: true, upTo: 0 })
})

/** What is found in a chain that was changed. */
async function found(records: readonly AuditRecord[], key?: string) {
  const options = key === undefined ? { anchors } : { anchors, key }
  const { isIntact, upTo, problem } = await verifyAudit(records, options)
  return { isIntact, upTo, what: problem?.what, seq: problem?.seq }
}

const place = fc.integer({ min: 0, max: length - 1 })

describe('T56 F214 tampering is found, wherever it is', () => {
  const fields = ['at', 'kind', 'actor', 'sessionId', 'body'] as const
  const flips = fc.record({
    at: place,
    field: fc.constantFrom(...fields, 'previous', 'hash'),
    flip: fc.nat(),
  })

  test('a flipped bit', async () => {
    await fc.assert(
      fc.asyncProperty(flips, async ({ at, field, flip }) => {
        const changed = chain.map((record, index) =>
          index === at ? flipIn(record, field, flip) : record,
        )
        const report = await found(changed)
        expect(report.isIntact).toBe(false)
        expect(report.upTo).toBeLessThan(at + 1)
        expect(report.upTo).toBeGreaterThanOrEqual(at - 1)
      }),
      { numRuns: 2_000 },
    )
  })

  test('an edit is called one, and says where it is', async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...fields), async (at, field) => {
        const changed = chain.with(at, flipIn(chain[at], field, 1))
        const report = await found(changed)
        expect(report).toMatchObject({ what: 'edited', seq: at + 1, upTo: at })
      }),
    )
  })

  test('a deleted record', async () => {
    await fc.assert(
      fc.asyncProperty(place, async (at) => {
        const report = await found(chain.toSpliced(at, 1))
        // The last one is the tail: only an anchor would know of it.
        expect(report.isIntact).toBe(at === length - 1)
        if (at < length - 1) {
          expect(report).toMatchObject({ what: 'missing' })
          expect(report.upTo).toBe(at)
        }
      }),
    )
  })

  test('swapped records, in place or with their numbers', async () => {
    const pairs = fc.tuple(place, place).filter(([one, other]) => one < other)
    await fc.assert(
      fc.asyncProperty(pairs, fc.boolean(), async ([one, other], isInPlace) => {
        const [a, b] = [chain[one], chain[other]] as [AuditRecord, AuditRecord]
        const changed = isInPlace
          ? chain
              .with(one, { ...b, seq: a.seq })
              .with(other, { ...a, seq: b.seq })
          : chain.with(one, b).with(other, a)
        const report = await found(changed)
        expect(report.isIntact).toBe(false)
        expect(report.upTo).toBe(one)
        if (isInPlace && one > 0) expect(report.what).toBe('swapped')
      }),
      { numRuns: 1_000 },
    )
  })

  test('an inserted record, whether or not the others were numbered anew', async () => {
    await fc.assert(
      fc.asyncProperty(
        place.filter((at) => at > 0),
        fc.boolean(),
        async (at, isLinked) => {
          const before = chain[at - 1] as AuditRecord
          const content = { ...before, seq: at + 1, body: '{"forged":true}' }
          const [linked] = relink([content], before.hash)
          const forged = isLinked ? linked : content
          const rest = chain
            .slice(at)
            .map((record) => ({ ...record, seq: record.seq + 1 }))
          const changed = [...chain.slice(0, at), forged, ...rest]
          const report = await verifyAudit(changed as AuditRecord[])
          expect(report).toMatchObject({ isIntact: false, upTo: at })
          expect(report.problem?.what).toBe('inserted')
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a cut tail, if the anchor knows more', async () => {
    await fc.assert(
      fc.asyncProperty(place, async (left) => {
        const report = await found(chain.slice(0, left))
        if (left >= 30) {
          expect(report.isIntact).toBe(true)
          return
        }
        const what = 'truncated'
        expect(report).toMatchObject({ isIntact: false, what, seq: left + 1 })
        expect(report.upTo).toBe(Math.floor(left / 10) * 10)
      }),
    )
  })

  test('a rewritten suffix, if it begins before the anchor', async () => {
    await fc.assert(
      fc.asyncProperty(place, async (at) => {
        const start = chain[at - 1]?.hash ?? '0'.repeat(64)
        const contents = chain
          .slice(at)
          .map((record) => ({ ...record, body: '{"forged":true}' }))
        const changed = [...chain.slice(0, at), ...relink(contents, start)]
        const report = await found(changed)
        if (at >= 30) {
          expect(report.isIntact).toBe(true)
          return
        }
        const vouched = Math.floor(at / 10) * 10
        expect(report).toMatchObject({ what: 'rewritten', upTo: vouched })
      }),
    )
  })
})

test('with a key, whoever does not have it can rewrite nothing, anchored or not', async () => {
  const signed = makeChain(length, 'k1')
  expect(await verifyAudit(signed, { key: 'k1' })).toMatchObject({
    isIntact: true,
    upTo: length,
  })
  const suffix = relink(signed.slice(35), signed[34]?.hash ?? '')
  const changed = [...signed.slice(0, 35), ...suffix]
  const report = await verifyAudit(changed, { key: 'k1' })
  const problem = { what: 'unsigned', seq: 36 }
  expect(report).toMatchObject({ isIntact: false, upTo: 35, problem })
  expect((await verifyAudit(signed, { key: 'k2' })).isIntact).toBe(false)
})

test('a chain that got its key later is signed from that record on', async () => {
  const late = [...chain, ...makeChain(length + 2, 'k1').slice(length)]
  const options = { key: 'k1', keyedFrom: length + 1 }
  expect(await verifyAudit(late, options)).toMatchObject({ isIntact: true })
  expect((await verifyAudit(late, { key: 'k1' })).problem?.seq).toBe(1)
})

test('a record that was anchored cannot be passed off as broken by a crash', async () => {
  const broken = { ...(chain[29] as AuditRecord), body: '{"forged":true}' }
  const kind = 'audit.recovered'
  const content = { ...broken, seq: 31, kind, body: '{"broken":30}' }
  const sealing = relink([content], hashBroken(broken))
  const changed = [...chain.slice(0, 29), broken, ...sealing]
  const unanchored = await verifyAudit(changed)
  expect(unanchored).toMatchObject({ isIntact: true, recovered: [30] })
  const report = await verifyAudit(changed, { anchors })
  const problem = { what: 'edited', seq: 30 }
  expect(report).toMatchObject({ isIntact: false, upTo: 29, problem })
})

test('a beginning that is gone is missing, unless a record says that it was removed', async () => {
  const report = await verifyAudit(chain.slice(5))
  const problem = { what: 'missing', seq: 5 }
  expect(report).toMatchObject({ isIntact: false, upTo: 0, from: 6, problem })
})

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('F214 what was changed in the database is found there', async () => {
    const database = await open()
    const parts = makeParts(database)
    const audit = createAudit(parts)
    for (let at = 0; at < 100; at++) audit.record({ kind: `k${at}` })
    await audit.flush()
    const tamper = async (sql: string) => {
      const statements = [{ sql, values: [] }]
      await database.write({ name: 'test.tamper', statements })
      const { problem, upTo } = await verifyAudit(parts)
      return { what: problem?.what, seq: problem?.seq, upTo }
    }
    expect(
      await tamper("UPDATE audit SET actor = 'eve' WHERE seq = 90"),
    ).toEqual({ what: 'edited', seq: 90, upTo: 89 })
    expect(await tamper('DELETE FROM audit WHERE seq = 80')).toEqual({
      what: 'missing',
      seq: 80,
      upTo: 79,
    })
    await tamper('UPDATE audit SET seq = 1000 WHERE seq = 60')
    await tamper('UPDATE audit SET seq = 60 WHERE seq = 61')
    expect(await tamper('UPDATE audit SET seq = 61 WHERE seq = 1000')).toEqual({
      what: 'swapped',
      seq: 60,
      upTo: 59,
    })
  })

  test('more records than fit in a page are verified as fast as they are written', async () => {
    const database = await open()
    const parts = makeParts(database)
    const audit = createAudit(parts, { maxWaiting: 20_000 })
    let written = 0
    const write = async () => {
      for (let at = 0; at < 10_000; at++)
        audit.record({ kind: 'k', body: { at } })
      await audit.flush()
      written += 10_000
    }
    const verify = async () =>
      expect(await verifyAudit(parts)).toMatchObject({
        isIntact: true,
        upTo: written,
      })
    await write()
    // What is verified grows with each round, by as much as is written.
    expect(await timeRatio(verify, write, 5)).toBeLessThanOrEqual(5)
  })
})

test('to check a chain of a hundred thousand records takes no longer than to make it', async () => {
  const many = makeChain(100_000)
  const check = async () => expect((await verifyAudit(many)).upTo).toBe(100_000)
  const make = () => makeChain(100_000)
  expect(await timeRatio(check, make, 2)).toBeLessThanOrEqual(2)
})

type Field =
  | 'at'
  | 'kind'
  | 'actor'
  | 'sessionId'
  | 'body'
  | 'previous'
  | 'hash'

/** The same record with one bit of one field another. */
function flipIn(
  record: AuditRecord | undefined,
  field: Field,
  flip: number,
): AuditRecord {
  if (record === undefined) throw new Error('There is no such record.')
  const value = record[field]
  if (typeof value === 'number') return { ...record, at: value ^ 1 || 1 }
  const text = value ?? ''
  const place = flip % text.length
  const changed = text.charCodeAt(place) ^ (1 << (flip % 5))
  const start = text.slice(0, place) + String.fromCharCode(changed)
  return { ...record, [field]: start + text.slice(place + 1) }
}

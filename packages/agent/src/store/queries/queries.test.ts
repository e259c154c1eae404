import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended } from '../runs/fixtures/make-runs.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { firstTime, makeRuns } from './fixtures/many-runs.ts'
import { hookFigures, listHookNames, maxFigured } from './hook-figures.ts'
import { listRuns, type RunCursor, type RunFilter } from './list-runs.ts'

const total = 5_000

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  describe('runs are listed', () => {
    let database: Database
    beforeAll(async () => {
      database = await kit.open()
      await makeRuns(database, total)
    })

    /** The numbers of the runs that fit, page by page to the end. */
    async function numbers(filter: RunFilter) {
      const found: number[] = []
      let after: RunCursor | undefined
      let pages = 0
      do {
        const page = await listRuns(
          { database },
          after === undefined ? filter : { ...filter, after },
        )
        found.push(...page.runs.map((run) => run.startedAt - firstTime))
        after = page.next
        pages++
      } while (after !== undefined)
      return { found, pages }
    }

    /** What the numbers should be. */
    function expected(fits: (n: number) => boolean) {
      return Array.from({ length: total }, (_, n) => total - 1 - n).filter(fits)
    }

    test('by time, the newest first', async () => {
      const { found, pages } = await numbers({ limit: 1_000 })
      expect(found).toEqual(expected(() => true))
      expect(pages).toBe(6)
    })

    test('by session, hook, point and state', async () => {
      const bySession = await numbers({ sessionId: 's2' })
      expect(bySession.found).toEqual(
        expected((n) => Math.floor(n / 1_000) === 2),
      )
      const byHook = await numbers({ hook: 'hook-3' })
      expect(byHook.found).toEqual(expected((n) => n % 20 === 3))
      const byPoint = await numbers({ point: 'tool.guard' })
      expect(byPoint.found).toEqual(expected((n) => n % 2 === 0))
      const byState = await numbers({ state: 'failed' })
      expect(byState.found).toEqual(expected((n) => n % 50 === 0))
    })

    test('in a range of time, from its beginning to before its end', async () => {
      const from = firstTime + 1_000
      const { found } = await numbers({
        hook: 'hook-0',
        since: from,
        until: from + 100,
      })
      expect(found).toEqual([1_080, 1_060, 1_040, 1_020, 1_000])
    })

    test('by several things at once, never looking at more than a thousand a page', async () => {
      const filter = { point: 'tool.guard', state: 'failed' } as const
      const { found, pages } = await numbers({ ...filter, limit: 10 })
      expect(found).toEqual(expected((n) => n % 50 === 0))
      expect(pages).toBe(10)
      const none = await numbers({ hook: 'hook-1', state: 'skipped' })
      expect(none).toEqual({ found: [], pages: 1 })
      const sparse = await numbers({ point: 'tool.guard', state: 'skipped' })
      expect(sparse).toEqual({ found: [], pages: 3 })
    })

    test('one page has a thousand runs at most', async () => {
      for (const limit of [0, 1_001, 1.5, Number.NaN]) {
        await expect(listRuns({ database }, { limit })).rejects.toMatchObject({
          code: 'invalid-options',
        })
      }
    })

    test('the hooks that have runs are known by name', async () => {
      const names = Array.from({ length: 20 }, (_, n) => `hook-${n}`)
      expect(await listHookNames({ database })).toEqual(names.toSorted())
      expect(await listHookNames({ database }, 'hook-7')).toEqual([
        'hook-8',
        'hook-9',
      ])
    })
  })

  test('runs of one millisecond are paged without loss', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    for (let at = 0; at < 25; at++) records.end(ended({ dispatch: `d${at}` }))
    await records.flush()
    const seen = new Set<string>()
    let after: RunCursor | undefined
    do {
      const filter = { hook: 'guard', limit: 10 }
      const page = await listRuns(parts, after ? { ...filter, after } : filter)
      for (const { id } of page.runs) seen.add(id)
      after = page.next
    } while (after !== undefined)
    expect(seen.size).toBe(25)
  })

  test('the figures of a hook are counts, and latencies by nearest rank', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    for (let at = 1; at <= 100; at++) {
      const about = { dispatch: `d${at}`, latencyMs: at, startedAt: 1_000 + at }
      const failed = {
        state: 'failed',
        policy: 'open',
        failedOpen: true,
      } as const
      records.end(ended(at <= 5 ? { ...about, ...failed } : about))
    }
    const skipped = {
      state: 'skipped',
      latencyMs: 0,
      startedAt: 1_000,
    } as const
    records.end(ended({ dispatch: 'skipped', ...skipped }))
    records.end(ended({ dispatch: 'other', hook: 'other', latencyMs: 9_999 }))
    records.end(
      ended({
        dispatch: 'slow',
        state: 'timed_out',
        latencyMs: 500,
        startedAt: 500,
      }),
    )
    await records.flush()
    const figures = await hookFigures(parts, { hook: 'guard', since: 1_000 })
    expect(figures).toEqual({
      hook: 'guard',
      count: 101,
      isCut: false,
      failures: 5,
      timeouts: 0,
      skipped: 1,
      failedOpen: 5,
      latency: { p50: 50, p90: 90, p99: 99, max: 100 },
    })
    const all = await hookFigures(parts, { hook: 'guard', until: 1_001 })
    expect(all).toMatchObject({ count: 2, timeouts: 1, latency: { max: 500 } })
  })

  test('a hook without runs has no latencies', async () => {
    const parts = makeParts(await open())
    expect(await hookFigures(parts, { hook: 'none' })).toEqual({
      hook: 'none',
      count: 0,
      isCut: false,
      failures: 0,
      timeouts: 0,
      skipped: 0,
      failedOpen: 0,
      latency: undefined,
    })
  })

  test('figures are over the newest ten thousand, and say so', async () => {
    const database = await open()
    await makeRuns(database, maxFigured + 1)
    const statements = [{ sql: "UPDATE runs SET hook = 'hook-1'", values: [] }]
    await database.write({ name: 'test.same', statements })
    const figures = await hookFigures({ database }, { hook: 'hook-1' })
    expect(figures).toMatchObject({ count: maxFigured, isCut: true })
  })
})

import { expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended } from '../runs/fixtures/make-runs.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { hookHistory } from './hook-history.ts'

forEachDatabase((kit) => {
  const open = shareDatabase(kit)

  test('how a hook did is told span by span, with what kept it from answers', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    for (let at = 0; at < 100; at++) {
      const about = { dispatch: `a${at}`, latencyMs: at + 1 }
      records.end(ended({ ...about, startedAt: 1_000 + at }))
    }
    const threw = { state: 'failed', failedOpen: true, policy: 'open' } as const
    const failure = { code: 'threw', message: 'No.' } as const
    for (const at of [0, 1]) {
      const about = { dispatch: `b${at}`, startedAt: 1_300 + at }
      records.end(ended({ ...about, ...threw, latencyMs: 5, failure }))
    }
    const late = { code: 'timed-out', message: 'Late.' } as const
    const slow = { dispatch: 'c', startedAt: 1_399, latencyMs: 70 }
    records.end(ended({ ...slow, state: 'timed_out', failure: late }))
    const held = { dispatch: 'd', startedAt: 1_350, latencyMs: 0 }
    records.end(ended({ ...held, state: 'skipped' }))
    const outside = { dispatch: 'e', startedAt: 1_400, latencyMs: 9 }
    records.end(ended(outside))
    records.end(ended({ ...outside, dispatch: 'f', hook: 'other' }))
    await records.flush()
    const range = { hook: 'guard', since: 1_000, until: 1_400 }
    expect(await hookHistory(parts, { ...range, spans: 4 })).toEqual({
      spans: [
        {
          at: 1_000,
          ...{ count: 100, failures: 0, timeouts: 0, skipped: 0 },
          ...{ failedOpen: 0, p50: 50, p90: 90, p99: 99 },
        },
        {
          at: 1_300,
          ...{ count: 4, failures: 2, timeouts: 1, skipped: 1 },
          ...{ failedOpen: 2, p50: 5, p90: 70, p99: 70 },
        },
      ],
      causes: [
        { code: 'threw', count: 2, lastAt: 1_301 },
        { code: 'timed-out', count: 1, lastAt: 1_399 },
      ],
    })
    const none = await hookHistory(parts, { ...range, hook: 'no', spans: 4 })
    expect(none).toEqual({ spans: [], causes: [] })
  })

  test.each([
    { spans: 0 },
    { spans: 201 },
    { spans: 1.5 },
    { spans: 4, until: 1_000 },
  ])('a time that cannot be cut is refused: %j', async (wrong) => {
    const parts = makeParts(await open())
    const range = { hook: 'guard', since: 1_000, until: 1_400, ...wrong }
    const refused = hookHistory(parts, range)
    await expect(refused).rejects.toMatchObject({ code: 'invalid-options' })
  })
})

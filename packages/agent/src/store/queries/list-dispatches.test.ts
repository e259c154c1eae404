import { randomBytes } from 'node:crypto'
import type { HookRecord } from 'hookline'
import { expect, test } from 'vitest'
import type { ContentLevel } from '../content/content-level.ts'
import { createPayloads } from '../content/create-payloads.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts, type TestParts } from '../runs/fixtures/make-parts.ts'
import { ended, started } from '../runs/fixtures/make-runs.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { createRunRecords } from '../runs/run-records.ts'
import type { RunStart } from '../runs/run-start.ts'
import {
  type DispatchFilter,
  findDispatch,
  listDispatches,
} from './list-dispatches.ts'

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

interface Told extends Partial<RunStart> {
  readonly answer?: HookRecord['answer']
  /** It never began. */
  readonly isSkipped?: boolean
}

/** Records one run, as the engine tells it. */
async function record(
  parts: TestParts,
  runs: readonly Told[],
  content: ContentLevel = 'full',
): Promise<void> {
  const records = createRunRecords(parts, { content })
  for (const { answer, isSkipped = false, ...start } of runs) {
    if (!isSkipped) records.start(started(start))
    const { dispatch, hook, point, scope, startedAt } = started(start)
    const about = { dispatch, hook, point, scope, startedAt }
    const skipped = isSkipped && { state: 'skipped' as const }
    const answered = answer !== undefined && { answer }
    records.end(ended({ ...about, ...answered, ...skipped }))
  }
  await records.close()
}

async function allOf(parts: TestParts, filter: DispatchFilter = {}) {
  const ids: string[] = []
  let page = await listDispatches(parts, filter)
  for (;;) {
    ids.push(...page.dispatches.map(({ id }) => id))
    if (page.next === undefined) return ids
    page = await listDispatches(parts, { ...filter, after: page.next })
  }
}

forEachDatabase((kit) => {
  const open = shareDatabase(kit)

  test('a dispatch has all its runs, what each was given, and what it answered', async () => {
    const parts = makeParts(await open())
    const input = (path: string) => Object.freeze({ id: 'c1', args: { path } })
    await record(parts, [
      { hook: 'first', startedAt: 10, input: input('a'), answer: 'transform' },
      { dispatch: 'd2', startedAt: 11 },
      { hook: 'second', startedAt: 12, input: input('b'), answer: 'reject' },
    ])
    const { dispatches, next } = await listDispatches(parts)
    expect(next).toBeUndefined()
    expect(dispatches).toMatchObject([
      {
        id: 'd1',
        point: 'tool.guard',
        agent: 'main',
        sessionId: 's1',
        turnId: 't1',
        callId: 'c1',
        startedAt: 10,
        given: { type: 'exact', input: input('a') },
        runs: [
          {
            hook: 'first',
            answer: 'transform',
            given: { type: 'exact', input: input('a') },
          },
          {
            hook: 'second',
            answer: 'reject',
            given: { type: 'exact', input: input('b') },
          },
        ],
      },
      { id: 'd2', runs: [{ hook: 'guard' }] },
    ])
    const found = await findDispatch(parts, 'd1/second')
    expect(found).toEqual(dispatches[0])
    expect(await findDispatch(parts, 'd9/none')).toBeUndefined()
  })

  test('hooks that never began belong to the dispatch, and to its call', async () => {
    const parts = makeParts(await open())
    const input = Object.freeze({ id: 'c1', args: {} })
    await record(parts, [
      { hook: 'first', startedAt: 10, isSkipped: true },
      { hook: 'second', startedAt: 11, input, answer: 'reject' },
      { hook: 'third', startedAt: 12, isSkipped: true },
    ])
    const { dispatches } = await listDispatches(parts)
    expect(dispatches).toMatchObject([
      {
        callId: 'c1',
        startedAt: 10,
        given: { type: 'exact', input },
        runs: [{ hook: 'first' }, { hook: 'second' }, { hook: 'third' }],
      },
    ])
    expect(await findDispatch(parts, 'd1/second')).toEqual(dispatches[0])
  })

  test('what was not kept exactly is redacted, or is said to be missing', async () => {
    const database = await open()
    const keyed = createPayloads({
      keys: [{ id: 'one', secret: randomBytes(32) }],
    })
    const parts = makeParts(database)
    const secret = Object.freeze({ id: 'c1', args: { note: token } })
    const long = Object.freeze({ id: 'c1', args: { text: 'x'.repeat(70_000) } })
    const told = (dispatch: string, input: object) => [{ dispatch, input }]
    await record(parts, told('exact', secret), 'full')
    await record(parts, told('redacted', secret), 'redacted')
    await record(parts, told('cut', long), 'redacted')
    await record(parts, told('metadata', secret), 'metadata')
    await record(parts, told('none', secret), 'none')
    const closed = { ...parts, payloads: keyed }
    await record(closed, told('closed', secret), 'full')
    const { dispatches } = await listDispatches(parts)
    const given = Object.fromEntries(
      dispatches.map(({ id, given }) => [id, given]),
    )
    const absent = (why: string) => ({ type: 'absent', why })
    const shown = { id: 'c1', args: { note: '[redacted]' } }
    expect(given).toEqual({
      exact: { type: 'exact', input: secret },
      redacted: { type: 'redacted', input: shown },
      cut: absent('cut'),
      metadata: absent('not-kept'),
      none: absent('not-kept'),
      // No key for it here; what may be shown is there all the same.
      closed: { type: 'redacted', input: shown },
    })
    const sql = 'UPDATE runs SET content = NULL'
    const statements = [{ sql, values: [] }]
    await database.write({ name: 'test.forget', statements })
    const unreadable = await findDispatch(parts, 'closed/guard')
    expect(unreadable?.given).toEqual(absent('unreadable'))
  })

  test('who answered is told as what it was, also where an older version has kept it', async () => {
    const parts = makeParts(await open())
    const allow = { type: 'allow' }
    const resolved = { id: 'q1', decision: allow, by: 'user:ann' }
    const ended = { type: 'permission-end', decision: allow, by: 'stand-in' }
    const points = { 'permission.resolved': resolved, event: ended }
    for (const content of ['full', 'redacted'] as const) {
      for (const [point, input] of Object.entries(points)) {
        const dispatch = `${point}/${content}`
        await record(parts, [{ dispatch, point, input }], content)
      }
    }
    const ann = { ...resolved, by: { kind: 'person', name: 'user:ann' } }
    const hook = { ...ended, by: { kind: 'hook', name: 'stand-in' } }
    for (const [point, input] of [
      ['permission.resolved', ann],
      ['event', hook],
    ] as const) {
      for (const [content, type] of [
        ['full', 'exact'],
        ['redacted', 'redacted'],
      ] as const) {
        const found = await findDispatch(parts, `${point}/${content}/guard`)
        expect(found?.given).toEqual({ type, input })
        expect(found?.runs[0]?.given).toEqual({ type, input })
      }
    }
  })

  test('pages have each dispatch once, whole, the newest first', async () => {
    const parts = makeParts(await open())
    const runs: Told[] = []
    // The runs of one begin between those of others.
    for (let at = 0; at < 60; at++) {
      for (const [place, hook] of ['a', 'b', 'c'].entries()) {
        const startedAt = 1_000 + at * 10 + place * 45
        const scope = scopeAt(at)
        runs.push({ dispatch: `d${at}`, hook, startedAt, scope })
      }
    }
    await record(parts, runs, 'none')
    const expected = Array.from({ length: 60 }, (_, at) => `d${59 - at}`)
    for (const limit of [1, 7, 60]) {
      expect(await allOf(parts, { limit })).toEqual(expected)
    }
    const { dispatches } = await listDispatches(parts, { limit: 200 })
    for (const { runs } of dispatches) {
      expect(runs.map(({ hook }) => hook)).toEqual(['a', 'b', 'c'])
    }
  })

  /** In a call, a turn, a session, and in none of them. */
  function scopeAt(at: number): NonNullable<RunStart['scope']> {
    const agent = 'main'
    if (at % 4 === 0) return { agent, sessionId: 's1', turnId: `t${at}` }
    if (at % 4 === 1) return { agent, sessionId: 's1', turnId: 't1' }
    if (at % 4 === 2) return { agent, sessionId: 's1' }
    return { agent }
  }

  test('they are found by point, session and time', async () => {
    const parts = makeParts(await open())
    const scope = { agent: 'main', sessionId: 's2', turnId: 't2' }
    await record(parts, [
      { dispatch: 'a', startedAt: 100 },
      { dispatch: 'b', startedAt: 200, point: 'turn.input', input: {} },
      { dispatch: 'c', startedAt: 300, scope },
      { dispatch: 'd', startedAt: 400, scope },
    ])
    expect(await allOf(parts, { point: 'tool.guard' })).toEqual(['d', 'c', 'a'])
    expect(await allOf(parts, { sessionId: 's1' })).toEqual(['b', 'a'])
    const both = { point: 'tool.guard', sessionId: 's2' }
    expect(await allOf(parts, both)).toEqual(['d', 'c'])
    expect(await allOf(parts, { since: 200, until: 400 })).toEqual(['c', 'b'])
    for (const limit of [0, 201, 1.5]) {
      const listing = listDispatches(parts, { limit })
      await expect(listing).rejects.toMatchObject({ code: 'invalid-options' })
    }
  })
})

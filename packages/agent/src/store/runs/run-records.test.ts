import { expect, test } from 'vitest'
import { forEachDatabase } from '../fixtures/databases.ts'
import { listAttempts } from '../queries/list-attempts.ts'
import { findRun } from '../queries/list-runs.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { readOnly, readRows } from './fixtures/read-rows.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { createRunRecords } from './run-records.ts'

const sha256Pattern = /^[0-9a-f]{64}$/
const count = 'SELECT COUNT(*) AS count FROM runs'

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('a run whose end comes before its start was written is written once', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    records.start(started())
    records.end(ended({ contributions: [{ kind: 'context', hash: 'h' }] }))
    await records.flush()
    expect(await readOnly(parts.database, count)).toEqual({ count: 1 })
    expect(await findRun(parts, 'd1/guard')).toEqual({
      id: 'd1/guard',
      dispatch: 'd1',
      inside: undefined,
      sessionId: 's1',
      turnId: 't1',
      callId: 'c1',
      agent: 'main',
      point: 'tool.guard',
      hook: 'guard',
      handler: { id: 'guard', kind: 'function', version: '1' },
      visibility: 'internal',
      mode: 'enforce',
      attempt: 1,
      state: 'completed',
      note: undefined,
      startedAt: 1_700_000_000_000,
      latencyMs: 1.5,
      deadlineMs: 5_000,
      answer: 'proceed',
      decided: false,
      failure: undefined,
      policy: undefined,
      failedOpen: false,
      contributions: [{ kind: 'context', hash: 'h' }],
      diagnostics: [],
      idempotencyKey: expect.stringMatching(sha256Pattern),
      inputHash: expect.stringMatching(sha256Pattern),
      worker: 'w1',
      late: undefined,
      content: undefined,
    })
  })

  test('a run that was written when it began is changed when it ends', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    records.start(started())
    await records.flush()
    const begun = await findRun(parts, 'd1/guard')
    expect(begun).toMatchObject({ state: 'started', latencyMs: undefined })
    records.end(
      ended({
        state: 'failed',
        answer: undefined,
        decided: true,
        failure: { code: 'threw', message: 'Hook "guard" threw.' },
        policy: 'open',
        failedOpen: true,
      }),
    )
    await records.flush()
    expect(await findRun(parts, 'd1/guard')).toEqual({
      ...begun,
      state: 'failed',
      latencyMs: 1.5,
      decided: true,
      failure: { code: 'threw', message: 'Hook "guard" threw.' },
      policy: 'open',
      failedOpen: true,
    })
  })

  test('what only the end knows is added to a start that knew less', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const { dispatch, point, hook, scope, startedAt, deadlineMs, input } =
      started()
    const known = { dispatch, point, hook, scope, startedAt, deadlineMs, input }
    records.start(known)
    await records.flush()
    const begun = await findRun(parts, 'd1/guard')
    expect(begun).toMatchObject({ handler: undefined, mode: undefined })
    records.end(ended({ inside: 'd0/outer' }))
    await records.flush()
    expect(await findRun(parts, 'd1/guard')).toEqual({
      ...begun,
      inside: 'd0/outer',
      handler: { id: 'guard', kind: 'function', version: '1' },
      visibility: 'internal',
      mode: 'enforce',
      state: 'completed',
      latencyMs: 1.5,
      answer: 'proceed',
    })
  })

  test('a hook that never began has a record, too', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const state = 'skipped'
    records.end(ended({ state, note: 'chain-ended', answer: undefined }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state, note: 'chain-ended', callId: undefined })
  })

  test('a run ends once, by the process that began it', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const others = createRunRecords(makeParts(parts.database, 'w2'))
    records.start(started())
    await records.flush()
    others.end(ended({ answer: 'reject' }))
    await others.flush()
    expect(await findRun(parts, 'd1/guard')).toMatchObject({ state: 'started' })
    records.end(ended())
    await records.flush()
    records.end(ended({ state: 'failed', answer: undefined }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'completed', answer: 'proceed' })
  })

  test('a queued run begins in another process; every attempt is kept', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    records.start(started())
    records.end(ended({ state: 'backgrounded', answer: undefined }))
    await records.flush()
    const others = createRunRecords(makeParts(parts.database, 'w2'))
    const failure = { code: 'threw', message: 'It threw.' } as const
    others.start(started({ startedAt: 1_700_000_000_500 }))
    await others.flush()
    others.end(ended({ state: 'failed', failure, latencyMs: 3 }))
    others.start(started({ attempt: 2, startedAt: 1_700_000_001_000 }))
    others.end(ended({ attempt: 2, startedAt: 1_700_000_001_000 }))
    await others.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'completed', attempt: 2, worker: 'w2' })
    expect(run?.failure).toBeUndefined()
    expect(await listAttempts(parts, 'd1/guard')).toEqual([
      {
        attempt: 1,
        state: 'failed',
        startedAt: 1_700_000_000_500,
        latencyMs: 3,
        failureCode: 'threw',
        worker: 'w2',
      },
      {
        attempt: 2,
        state: 'completed',
        startedAt: 1_700_000_001_000,
        latencyMs: 1.5,
        failureCode: undefined,
        worker: 'w2',
      },
    ])
  })

  test('what comes late from an earlier attempt changes nothing', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    records.start(started({ attempt: 2 }))
    await records.flush()
    records.end(ended({ attempt: 1 }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run).toMatchObject({ state: 'started', attempt: 2 })
  })

  test('a run that is heard of after its end is marked so, written or not', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const late = {
      point: 'tool.guard',
      settled: 'threw',
      latencyMs: 9,
    } as const
    records.start(started())
    records.end(ended({ state: 'timed_out' }))
    records.late({ ...late, dispatch: 'd1', hook: 'guard' })
    records.end(ended({ dispatch: 'd2' }))
    await records.flush()
    records.late({ ...late, dispatch: 'd2', hook: 'guard' })
    await records.flush()
    const marks = { settled: 'threw', latencyMs: 9 }
    expect((await findRun(parts, 'd1/guard'))?.late).toEqual(marks)
    expect((await findRun(parts, 'd2/guard'))?.late).toEqual(marks)
  })

  test('thousands of runs are written in a few units, each of them once', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts)
    const total = 1_001
    for (let at = 0; at < total; at++) {
      records.start(started({ dispatch: `d${at}` }))
      if (at % 2 === 0) records.end(ended({ dispatch: `d${at}` }))
    }
    await records.flush()
    for (let at = 1; at < total; at += 2) {
      records.end(ended({ dispatch: `d${at}` }))
    }
    await records.flush()
    const sql = 'SELECT state, COUNT(*) AS count FROM runs GROUP BY state'
    const rows = await readRows(parts.database, sql)
    expect(rows).toEqual([{ state: 'completed', count: total }])
  })
})

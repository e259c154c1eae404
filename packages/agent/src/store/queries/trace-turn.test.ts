import { expect, test } from 'vitest'
import { textEvent } from '../events/fixtures/text-event.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openKitStore } from '../fixtures/open-kit-store.ts'
import { fill } from '../retention/fixtures/fill.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { ended, started } from '../runs/fixtures/make-runs.ts'
import { createRunRecords } from '../runs/run-records.ts'
import { findTurnEvents, traceTurn } from './trace-turn.ts'

forEachDatabase((kit) => {
  const open = openKitStore(kit)

  test('the events of a turn are read from shortly before it on', async () => {
    const { events, database } = await open()
    await events.append([textEvent('s1', 1), textEvent('s2', 1)])
    const { items } = await events.read()
    const [first] = items
    const at = first?.at ?? 0
    const turn = { sessionId: 's1', startedAt: at, endedAt: null }
    const cursor = await findTurnEvents({ database }, turn)
    const page = await events.read({ sessionId: 's1', after: cursor ?? '' })
    expect(page).toMatchObject({ isReset: false, items: [first] })
    // Much later: what came before is nothing of it.
    const startedAt = at + 3_600_000
    const later = { sessionId: 's1', startedAt, endedAt: null }
    expect(await findTurnEvents({ database }, later)).toBeUndefined()
    const other = { sessionId: 's3', startedAt: at, endedAt: at }
    expect(await findTurnEvents({ database }, other)).toBeUndefined()
  })

  test('a call says who may see the hook that agreed to it, by its last run for that call', async () => {
    const database = await kit.open()
    const call = { session_id: 's1', turn_id: 't1', tool: 'write' }
    const more = { owner: 'runtime', safety: 'mutating', state: 'sealed' }
    const rest = { ...more, verdicts: '[]', approved_by: 'stand-in' }
    const rows = ['c1', 'c2'].map((call_id, started_at) => ({
      ...call,
      call_id,
      ...rest,
      started_at,
    }))
    await fill(database, 'calls', rows)
    const records = createRunRecords(makeParts(database))
    const input = { call: { id: 'c1' } }
    const asked = { hook: 'stand-in', point: 'permission.request' }
    const told = [
      { ...asked, visibility: 'internal', startedAt: 1_000 },
      { ...asked, visibility: 'user_visible', startedAt: 2_000 },
      { ...asked, point: 'permission.resolved', startedAt: 3_000 },
      { ...asked, hook: 'other', startedAt: 3_000 },
    ] as const
    for (const [at, differs] of told.entries()) {
      const about = { ...differs, dispatch: `d${at}` }
      records.start(started({ ...about, input }))
      records.end(ended(about))
    }
    await records.flush()
    const which = { sessionId: 's1', turnId: 't1', limit: 1 }
    const { calls } = await traceTurn({ database }, which)
    expect(calls).toMatchObject([
      { callId: 'c1', approverVisibility: 'user_visible' },
      { callId: 'c2', approverVisibility: undefined },
    ])
  })
})

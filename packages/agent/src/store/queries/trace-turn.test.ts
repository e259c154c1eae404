import { expect, test } from 'vitest'
import { textEvent } from '../events/fixtures/text-event.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openKitStore } from '../fixtures/open-kit-store.ts'
import { findTurnEvents } from './trace-turn.ts'

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
})

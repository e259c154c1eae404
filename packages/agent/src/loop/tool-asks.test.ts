import { expect, test } from 'vitest'
import {
  eventsOf,
  gate,
  openStage,
  type StageOptions,
} from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import type { Script } from '../testing/index.ts'

const day = 24 * 3_600_000

/** A tool that works, asks a person, and works again. */
async function openAsking(options: StageOptions = {}) {
  const [before, asked, afterwards] = [gate(), gate(), gate()]
  const asking = tool('ask', async (_, context) => {
    await before.pass()
    const end = context.beginWait()
    await asked.pass()
    end()
    await afterwards.pass()
    return 'done'
  })
  const script: Script = [{ calls: [{ tool: 'ask' }] }, { text: 'Done.' }]
  const stage = await openStage(script, { ...options, tools: [asking] })
  const { result } = stage.session.send('Go.')
  await before.reached
  return { ...stage, result, before, asked, afterwards }
}

test('while a tool asks a person its time stands still, and goes on afterwards', async () => {
  const stage = await openAsking()
  const { clock, events, before, asked, afterwards, result } = stage
  await clock.advance(60_000)
  before.open()
  await asked.reached
  await clock.advance(3 * day)
  asked.open()
  await afterwards.reached
  await clock.advance(59_999)
  expect(eventsOf(events, 'tool-end')).toEqual([])
  await clock.advance(1)
  expect((await result).status).toBe('succeeded')
  const [end] = eventsOf(events, 'tool-end')
  expect(end?.result).toMatchObject({ isError: true, error: 'timeout' })
})

test('the time that a tool asks a person does not count for its turn, and all other does', async () => {
  const limits = { maxWallMs: 1_000 }
  const stage = await openAsking({ config: { limits }, graceMs: 10 })
  const { clock, before, asked, afterwards, result } = stage
  await clock.advance(500)
  before.open()
  await asked.reached
  await clock.advance(3 * day)
  asked.open()
  await afterwards.reached
  await clock.advance(499)
  expect(stage.model.requests).toHaveLength(1)
  await clock.advance(1)
  await clock.advance(10)
  expect((await result).status).toBe('limited')
})

test('what a tool has not ended of its waits ends with the call', async () => {
  const asks = tool('ask', async (_, context) => {
    context.beginWait()
    return 'done'
  })
  const { reached, pass } = gate()
  const { session, clock } = await openStage(
    (_, call) =>
      call === 1
        ? { calls: [{ tool: 'ask' }] }
        : pass().then(() => ({ text: '' })),
    { tools: [asks], config: { limits: { maxWallMs: 1_000 } }, graceMs: 10 },
  )
  const { result } = session.send('Go.')
  await reached
  await clock.advance(1_000)
  await clock.advance(10)
  expect((await result).status).toBe('limited')
})

test('a tool that is cancelled while it asks has the time to end that others have', async () => {
  const { clock, before, asked, session, result, events } = await openAsking({
    graceMs: 10,
  })
  before.open()
  await asked.reached
  session.cancel()
  await clock.advance(10)
  expect((await result).status).toBe('cancelled')
  const [end] = eventsOf(events, 'tool-end')
  expect(end?.status).toBe('unknown_outcome')
})

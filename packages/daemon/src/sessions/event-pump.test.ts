import type { Subscription } from '@hookline/agent'
import { createRuntime } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { systemClock } from 'hookline'
import type { AgentEvent } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, onTestFinished, test } from 'vitest'
import {
  EventPump,
  type EventPumpOptions,
  type PumpState,
} from './event-pump.ts'

/** A runtime whose events go to a log that can be broken. */
async function pumped(
  options: Partial<Pick<EventPumpOptions, 'maxWaiting' | 'clock'>> = {},
) {
  const runtime = createRuntime({
    models: { resolve: () => scriptedModel(() => ({ text: 'a b c d e f' })) },
  })
  await runtime.register({ name: 'main', model: 'x', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id: 's' })
  const batches: (readonly AgentEvent[])[] = []
  const states: PumpState[] = []
  const log = { isBroken: false }
  const subscription: Subscription = runtime.subscribe()
  const pump = new EventPump(subscription, {
    log: {
      async append(events) {
        if (log.isBroken) throw new Error('The disk is full.')
        batches.push(events)
      },
      async notice() {},
    },
    clock: systemClock,
    onEvent: () => {},
    onState: (state) => states.push(state),
    ...options,
  })
  onTestFinished(async () => {
    await pump.stop()
    await runtime.close()
  })
  const types = () => batches.flat().map(({ type }) => type)
  return { session, pump, batches, states, log, types }
}

test('what is told is kept in its order, many at a time', async () => {
  // All of it is within one window, however long the turn takes.
  const clock = createFakeClock()
  const { session, pump, batches, types } = await pumped({ clock })
  await session.send('Go.').result
  await pump.flush()
  expect(types()).toEqual([
    'turn-start',
    'turn-input',
    'step-start',
    'text-start',
    'text-delta',
    'text-end',
    'usage-delta',
    'step-end',
    'turn-end',
  ])
  expect(batches).toHaveLength(1)
  const deltas = batches.flat().filter(({ type }) => type === 'text-delta')
  expect(deltas).toMatchObject([{ text: 'a b c d e f' }])
})

test('turns go on while the log fails, and it has everything when it works again', async () => {
  const { session, log, states, types } = await pumped()
  log.isBroken = true
  const { status } = await session.send('Go.').result
  expect(status).toBe('succeeded')
  await expect.poll(() => states.length).toBeGreaterThan(0)
  expect(states[0]?.type).toBe('failed')
  expect(types()).toEqual([])
  log.isBroken = false
  await expect.poll(types).toContain('turn-end')
  expect(types()[0]).toBe('turn-start')
  expect(states.at(-1)).toEqual({ type: 'recovered', lost: 0 })
})

test('what a log cannot take for too long is lost, and counted', async () => {
  const { session, log, states, types } = await pumped({ maxWaiting: 3 })
  log.isBroken = true
  await session.send('Go.').result
  await expect.poll(() => states.length).toBeGreaterThan(0)
  log.isBroken = false
  await expect.poll(() => states.at(-1)?.type).toBe('recovered')
  expect(types()).toEqual(['turn-start', 'turn-input', 'step-start'])
  expect(states.at(-1)).toMatchObject({ lost: expect.any(Number) })
  expect(Object(states.at(-1)).lost).toBeGreaterThan(5)
})

test('a turn that is muted tells nothing more', async () => {
  const { session, pump, types } = await pumped()
  const turn = session.send('Go.')
  const unmute = pump.mute(turn.id)
  await turn.result
  await pump.flush()
  expect(types()).toEqual([])
  unmute()
  await session.send('Go.').result
  await pump.flush()
  expect(types()).toContain('turn-end')
})

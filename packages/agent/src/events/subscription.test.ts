import type { AgentEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { type SubscribeOptions, Subscription } from './subscription.ts'

function step(seq: number): AgentEvent {
  const place = { sessionId: 's', turnId: 't', path: ['main'] }
  return { type: 'step-start', step: seq, seq, ...place }
}

function subscribe(options: SubscribeOptions = {}) {
  return new Subscription(options, () => {})
}

/** Sequence numbers, or for a gap how many are missing. */
function brief(event: AgentEvent): number | string {
  return event.type === 'gap' ? `-${event.missed}` : event.seq
}

async function readAll(subscription: Subscription) {
  const read: (number | string)[] = []
  for await (const event of subscription) read.push(brief(event))
  return read
}

async function read(subscription: Subscription, count: number) {
  const events: (number | string)[] = []
  for (let index = 0; index < count; index++) {
    const { value } = await subscription.next()
    events.push(brief(value))
  }
  return events
}

/** Whether a promise has settled once all that can happen has. */
async function isSettled(promise: void | Promise<void>): Promise<boolean> {
  let settled = false
  void Promise.resolve(promise).then(() => {
    settled = true
  })
  for (let round = 0; round < 10; round++) await Promise.resolve()
  return settled
}

test('events are read in their order, before and after they are asked for', async () => {
  const subscription = subscribe()
  void subscription.push(step(1))
  const first = read(subscription, 3)
  void subscription.push(step(2))
  void subscription.push(step(3))
  expect(await first).toEqual([1, 2, 3])
})

test('several that ask at once are served in their order', async () => {
  const subscription = subscribe()
  const asked = [subscription.next(), subscription.next(), subscription.next()]
  for (const seq of [1, 2]) void subscription.push(step(seq))
  subscription.end()
  const [first, second, third] = await Promise.all(asked)
  expect([first?.value?.seq, second?.value?.seq, third?.done]).toEqual([
    1,
    2,
    true,
  ])
})

test('what is queued can be read after the end, and nothing follows', async () => {
  const subscription = subscribe()
  void subscription.push(step(1))
  subscription.end()
  void subscription.push(step(2))
  expect(await readAll(subscription)).toEqual([1])
})

test('a watcher that breaks off is told nothing more, and nobody waits for it', async () => {
  const subscription = subscribe({ capacity: 2 })
  void subscription.push(step(1))
  const room = subscription.push(step(2))
  for await (const _ of subscription) break
  expect(await isSettled(room)).toBe(true)
  expect(subscription.push(step(3))).toBeUndefined()
  expect(await subscription.next()).toMatchObject({ done: true })
})

describe('with the policy to wait', () => {
  test('the agent is asked to wait once the queue is full, until there is room', async () => {
    const subscription = subscribe({ capacity: 2 })
    expect(subscription.push(step(1))).toBeUndefined()
    const room = subscription.push(step(2))
    expect(await isSettled(room)).toBe(false)
    expect(await read(subscription, 2)).toEqual([1, 2])
    expect(await isSettled(room)).toBe(true)
  })

  test('an event from someone who does not wait is not lost', async () => {
    const subscription = subscribe({ capacity: 1 })
    for (const seq of [1, 2, 3]) void subscription.push(step(seq))
    subscription.end()
    expect(await readAll(subscription)).toEqual([1, 2, 3])
  })

  test('the end lets go of an agent that waits', async () => {
    const subscription = subscribe({ capacity: 1 })
    const room = subscription.push(step(1))
    subscription.end()
    expect(await isSettled(room)).toBe(true)
  })
})

describe('with the policy to drop', () => {
  const options = { whenFull: 'drop', capacity: 2 } as const

  test('nobody waits, and a gap says how many are missing', async () => {
    const subscription = subscribe(options)
    for (let seq = 1; seq <= 5; seq++) {
      expect(subscription.push(step(seq))).toBeUndefined()
    }
    expect(await read(subscription, 2)).toEqual([1, 2])
    void subscription.push(step(6))
    subscription.end()
    expect(await readAll(subscription)).toEqual(['-3', 6])
  })

  test('the gap also comes first for a watcher that already waits', async () => {
    const subscription = subscribe(options)
    for (let seq = 1; seq <= 5; seq++) void subscription.push(step(seq))
    const waiting = read(subscription, 4)
    await Promise.resolve()
    await isSettled(undefined)
    void subscription.push(step(6))
    expect(await waiting).toEqual([1, 2, '-3', 6])
  })

  test('the gap is told also when nothing follows it', async () => {
    const subscription = subscribe(options)
    for (let seq = 1; seq <= 5; seq++) void subscription.push(step(seq))
    subscription.end()
    expect(await readAll(subscription)).toEqual([1, 2, '-3'])
  })

  test('each gap counts what is missing since the last one', async () => {
    const subscription = subscribe(options)
    const seen: (number | string)[] = []
    for (const seqs of [
      [1, 2, 3],
      [4, 5, 6, 7],
    ]) {
      for (const seq of seqs) void subscription.push(step(seq))
      seen.push(...(await read(subscription, 2)))
    }
    subscription.end()
    seen.push(...(await readAll(subscription)))
    const missing = seen
      .filter((one) => typeof one === 'string')
      .reduce((sum, one) => sum - Number(one), 0)
    const got = seen.filter((one) => typeof one === 'number').length
    expect(got + missing).toBe(7)
  })

  test('the number of a gap is that of the last event it stands for', async () => {
    const subscription = subscribe(options)
    for (let seq = 1; seq <= 5; seq++) void subscription.push(step(seq))
    subscription.end()
    const events: AgentEvent[] = []
    for await (const event of subscription) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'gap', missed: 3, seq: 5 })
  })
})

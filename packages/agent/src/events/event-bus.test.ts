import type { AgentEvent } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { EventBus } from './event-bus.ts'

function step(seq: number): AgentEvent {
  const place = { sessionId: 's', turnId: 't', path: ['main'] }
  return { type: 'step-start', step: seq, seq, ...place }
}

async function seqs(events: AsyncIterable<AgentEvent>) {
  const seen: number[] = []
  for await (const { seq } of events) seen.push(seq)
  return seen
}

test('nobody watches before somebody subscribes, and after they have left', async () => {
  const bus = new EventBus()
  expect(bus.isWatched).toBe(false)
  const subscription = bus.subscribe()
  expect(bus.isWatched).toBe(true)
  await subscription.return()
  expect(bus.isWatched).toBe(false)
})

test('who watches the whole watches its parts, and not the other way round', async () => {
  const whole = new EventBus()
  const part = new EventBus(whole)
  const ofPart = part.subscribe()
  expect([whole.isWatched, part.isWatched]).toEqual([false, true])
  await ofPart.return()
  const ofWhole = whole.subscribe()
  expect(part.isWatched).toBe(true)
  void part.emit(step(1))
  part.end()
  void new EventBus(whole).emit(step(2))
  whole.end()
  expect(await seqs(ofWhole)).toEqual([1, 2])
})

test('every watcher has all events, in one order', async () => {
  const bus = new EventBus()
  const both = [bus.subscribe(), bus.subscribe()]
  for (const seq of [1, 2, 3]) void bus.emit(step(seq))
  bus.end()
  expect(await Promise.all(both.map(seqs))).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ])
})

test('watchers with different policies do not disturb each other', async () => {
  const bus = new EventBus()
  const slow = bus.subscribe({ whenFull: 'drop', capacity: 1 })
  const patient = bus.subscribe({ whenFull: 'wait', capacity: 2 })
  const first = bus.emit(step(1))
  const second = bus.emit(step(2))
  expect(first).toBeUndefined()
  expect(second).toBeInstanceOf(Promise)
  bus.end()
  await second
  expect(await seqs(patient)).toEqual([1, 2])
  const [event, gap] = [await slow.next(), await slow.next()]
  expect(event.value?.seq).toBe(1)
  expect(gap.value).toMatchObject({ type: 'gap', missed: 1 })
})

test('the slowest of those who make the agent wait is waited for', async () => {
  const bus = new EventBus()
  const quick = bus.subscribe({ capacity: 1 })
  const slow = bus.subscribe({ capacity: 1 })
  let isFree = false
  const wait = Promise.resolve(bus.emit(step(1))).then(() => {
    isFree = true
  })
  await quick.next()
  for (let round = 0; round < 10; round++) await Promise.resolve()
  expect(isFree).toBe(false)
  await slow.next()
  await wait
  expect(isFree).toBe(true)
})

describe('a watcher that leaves', () => {
  test('by break is told nothing more, and the others are', async () => {
    const bus = new EventBus()
    const other = bus.subscribe()
    const leaving = bus.subscribe()
    void bus.emit(step(1))
    for await (const _ of leaving) break
    void bus.emit(step(2))
    bus.end()
    expect(await seqs(other)).toEqual([1, 2])
    expect(await seqs(leaving)).toEqual([])
  })
})

test('who subscribes late is told what follows', async () => {
  const bus = new EventBus()
  void bus.emit(step(1))
  const late = bus.subscribe()
  void bus.emit(step(2))
  bus.end()
  expect(await seqs(late)).toEqual([2])
})

test('who subscribes after the end is not kept waiting', async () => {
  const bus = new EventBus()
  bus.end()
  expect(await seqs(bus.subscribe())).toEqual([])
  expect(bus.isWatched).toBe(false)
})

import { expect, test } from 'vitest'
import { createFakeClock } from './index.ts'

test('a fake clock stands still until it is told to go on', async () => {
  const clock = createFakeClock()
  expect(clock.now()).toBe(0)
  await clock.settle()
  expect(clock.now()).toBe(0)
  await clock.advance(250)
  expect(clock.now()).toBe(250)
})

test('timers fire in the order in which they fall due, those of one moment in the order set', async () => {
  const clock = createFakeClock()
  const fired: string[] = []
  const set = (ms: number, name: string) =>
    clock.after(ms, () => fired.push(`${name}@${clock.now()}`))
  set(30, 'c')
  set(10, 'a')
  set(20, 'b1')
  set(20, 'b2')
  await clock.advance(25)
  expect(fired).toEqual(['a@10', 'b1@20', 'b2@20'])
  await clock.advance(5)
  expect(fired).toEqual(['a@10', 'b1@20', 'b2@20', 'c@30'])
})

test('a timer fires at its time and not before', async () => {
  const clock = createFakeClock()
  let fired = 0
  clock.after(10, () => fired++)
  await clock.advance(9)
  expect(fired).toBe(0)
  await clock.advance(1)
  expect(fired).toBe(1)
  await clock.advance(100)
  expect(fired).toBe(1)
})

test('a timer that another one sets on the way fires if it falls due on the way', async () => {
  const clock = createFakeClock()
  const fired: number[] = []
  clock.after(10, () => {
    fired.push(clock.now())
    clock.after(10, () => fired.push(clock.now()))
    clock.after(100, () => fired.push(clock.now()))
  })
  await clock.advance(50)
  expect(fired).toEqual([10, 20])
  expect(clock.now()).toBe(50)
  expect(clock.pending).toBe(1)
})

test('what waits for a timer goes on before the next timer fires', async () => {
  const clock = createFakeClock()
  const log: string[] = []
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => clock.after(ms, resolve))
  const sleeper = sleep(10).then(() => log.push(`slept@${clock.now()}`))
  clock.after(20, () => log.push(`timer@${clock.now()}`))
  await clock.advance(20)
  await sleeper
  expect(log).toEqual(['slept@10', 'timer@20'])
})

test('a timer that was stopped does not fire, and stopping again does nothing', async () => {
  const clock = createFakeClock()
  let fired = 0
  const timer = clock.after(10, () => fired++)
  clock.after(10, () => timer.stop())
  const early = clock.after(5, () => fired++)
  early.stop()
  early.stop()
  expect(clock.pending).toBe(2)
  timer.stop()
  expect(clock.pending).toBe(1)
  await clock.advance(10)
  expect(fired).toBe(0)
  expect(clock.pending).toBe(0)
})

test('a timer of no time fires with the next advance, even of nothing', async () => {
  const clock = createFakeClock()
  let fired = 0
  clock.after(0, () => fired++)
  clock.after(-5, () => fired++)
  await clock.settle()
  expect(fired).toBe(0)
  await clock.advance(0)
  expect(fired).toBe(2)
})

test('wall time goes with the clock, from the given moment', async () => {
  const start = Date.UTC(2030, 0, 1)
  const clock = createFakeClock(start)
  await clock.advance(1_000)
  expect(clock.wallAt(clock.now())).toBe(start + 1_000)
  expect(clock.wallAt(0)).toBe(start)
})

test('wall time can be set without a timer noticing', async () => {
  const clock = createFakeClock()
  let fired = 0
  clock.after(100, () => fired++)
  await clock.advance(40)
  clock.setWall(Date.UTC(1999, 0, 1))
  expect(clock.wallAt(clock.now())).toBe(Date.UTC(1999, 0, 1))
  expect(clock.now()).toBe(40)
  await clock.advance(59)
  expect(fired).toBe(0)
  await clock.advance(1)
  expect(fired).toBe(1)
  expect(clock.wallAt(clock.now())).toBe(Date.UTC(1999, 0, 1) + 60)
})

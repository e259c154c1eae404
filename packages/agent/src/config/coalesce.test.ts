import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

function setUp(runMs = 0) {
  const clock = createFakeClock()
  const starts: number[] = []
  const run = () => {
    starts.push(clock.now())
    return new Promise<void>((done) => {
      if (runMs === 0) done()
      else clock.after(runMs, done)
    })
  }
  const timing = { clock, quietMs: 50, minGapMs: 500 }
  return { clock, starts, coalescer: coalesce(run, timing) }
}

test('F126 a thousand requests a second are two runs a second', async () => {
  const { clock, starts, coalescer } = setUp()
  for (let ms = 0; ms < 10_000; ms++) {
    coalescer.request()
    await clock.advance(1)
  }
  expect(starts.length).toBeGreaterThanOrEqual(19)
  expect(starts.length).toBeLessThanOrEqual(20)
  expect(starts[0]).toBe(50)
})

test('F126 the last request is never lost, also not one during a run', async () => {
  const { clock, starts, coalescer } = setUp(2_000)
  coalescer.request()
  await clock.advance(100)
  expect(starts).toEqual([50])
  coalescer.request()
  coalescer.request()
  await clock.advance(5_000)
  expect(starts).toEqual([50, 2_100])
  expect(clock.pending).toBe(0)
})

test('nothing runs after it was closed', async () => {
  const { clock, starts, coalescer } = setUp()
  coalescer.request()
  coalescer.close()
  coalescer.request()
  await clock.advance(5_000)
  expect(starts).toEqual([])
  expect(clock.pending).toBe(0)
})

import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { Setbacks } from './setbacks.ts'

test('what fails is left alone for twice as long each time, up to a bound, until it goes well', async () => {
  const clock = createFakeClock()
  const setbacks = new Setbacks(clock, { firstMs: 100, longestMs: 300 })
  expect(setbacks.isResting('a')).toBe(false)
  expect(setbacks.failed('a')).toBe(100)
  await clock.advance(99)
  expect(setbacks.isResting('a')).toBe(true)
  await clock.advance(1)
  expect(setbacks.isResting('a')).toBe(false)
  expect([setbacks.failed('a'), setbacks.failed('a')]).toEqual([200, 300])
  expect(setbacks.isResting('b')).toBe(false)
  setbacks.passed('a')
  expect(setbacks.isResting('a')).toBe(false)
  expect(setbacks.failed('a')).toBe(100)
  setbacks.forget()
  expect(setbacks.isResting('a')).toBe(false)
})

test('of so many it is known, and the oldest are forgotten', () => {
  const setbacks = new Setbacks(createFakeClock(), { remembered: 2 })
  for (const key of ['a', 'b', 'a', 'c']) setbacks.failed(key)
  const resting = ['a', 'b', 'c'].filter((key) => setbacks.isResting(key))
  expect(resting).toEqual(['a', 'c'])
})

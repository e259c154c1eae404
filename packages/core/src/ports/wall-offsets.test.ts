import { expect, test } from 'vitest'
import { createFakeClock } from '../testing/index.ts'
import { WallOffsets } from './wall-offsets.ts'

const begin = Date.UTC(2026, 0, 1)
const end = Date.UTC(2026, 0, 2)

test('moments share what they have from the wall clock until it is set', async () => {
  const clock = createFakeClock(begin)
  const wall = new WallOffsets(clock)
  const first = wall.at(clock.now())
  expect(clock.now() + first.ms).toBe(begin)
  await clock.advance(5_000)
  expect(wall.at(clock.now())).toBe(first)
  clock.setWall(end)
  await clock.advance(1)
  expect(clock.now() + wall.at(clock.now()).ms).toBe(end + 1)
  expect(begin).toBe(clock.now() - 5_001 + first.ms)
})

test('within a millisecond the wall clock is looked at once', () => {
  let looks = 0
  const wall = new WallOffsets({
    ...createFakeClock(begin),
    wallAt: (now) => {
      looks++
      return now
    },
  })
  for (const now of [0, 0.4, 0.9]) wall.at(now)
  expect(looks).toBe(1)
  wall.at(1)
  expect(looks).toBe(2)
})

import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

test('whoever writes in thousands lets others have their turn, and all come to an end, in order', async () => {
  let nowMs = 0
  const pace = new Pace(() => nowMs)
  const done: number[] = []
  const write = async (at: number) => {
    const turn = pace.turn()
    if (turn !== undefined) await turn
    nowMs += 0.05
    done.push(at)
  }
  let most = 0
  let before = 0
  let isOver = false
  const tick = () => {
    most = Math.max(most, done.length - before)
    before = done.length
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await Promise.all(Array.from({ length: 2_000 }, (_, at) => write(at)))
  isOver = true
  expect(done).toEqual(Array.from({ length: 2_000 }, (_, at) => at))
  // Without it, all of them would be done before anybody else has a turn.
  expect(most).toBeLessThan(200)
})

test('a single one waits only when its slice is used up', async () => {
  let nowMs = 1
  const pace = new Pace(() => nowMs)
  expect(pace.turn()).toBeUndefined()
  nowMs += 4.9
  expect(pace.turn()).toBeUndefined()
  nowMs += 0.1
  const turn = pace.turn()
  expect(turn).toBeInstanceOf(Promise)
  await turn
  expect(pace.turn()).toBeUndefined()
})

test('what is not in a hurry is done a few at a time, while others go on', async () => {
  const pace = new Pace()
  let done = 0
  let most = 0
  for (let at = 0; at < 500; at++) pace.later(() => void done++)
  expect(done).toBe(0)
  for (let before = 0; done < 500; before = done) {
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, done - before)
  }
  expect(most).toBeLessThan(100)
})

import { expect, test } from 'vitest'
import { Slices } from './slices.ts'

test('everything is done, in its order', async () => {
  const slices = new Slices()
  const done: number[] = []
  for (let one = 0; one < 5_000; one++) slices.add(() => done.push(one))
  await expect.poll(() => done.length).toBe(5_000)
  expect(done).toEqual(done.toSorted((one, other) => one - other))
  expect(slices.length).toBe(0)
})

test('what is dear is done in small slices, with what it sets off', async () => {
  let nowMs = 0
  const slices = new Slices(4, () => nowMs)
  let done = 0
  let most = 0
  let since = 0
  const watch = () => {
    most = Math.max(most, done - since)
    since = done
    if (done < 120) setImmediate(watch)
  }
  for (let one = 0; one < 120; one++) {
    slices.add(() => {
      // Somebody goes on when the slice is over, as readers of a stream do.
      void Promise.resolve().then(() => {
        nowMs++
        done++
      })
    })
  }
  setImmediate(watch)
  await expect.poll(() => done).toBe(120)
  // The first slice knows nothing yet; all others do.
  expect(most).toBeLessThanOrEqual(32)
})

test('whoever goes on without a pause is told to make one', async () => {
  let nowMs = 0
  const slices = new Slices(4, () => nowMs)
  expect(slices.isOver).toBe(false)
  nowMs = 4
  expect(slices.isOver).toBe(false)
  nowMs = 5
  expect(slices.isOver).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(slices.isOver).toBe(false)
})

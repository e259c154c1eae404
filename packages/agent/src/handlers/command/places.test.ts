import { afterEach, expect, test, vi } from 'vitest'
import { Places } from './places.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('who gets a place when the time to use it is over is turned away, and the next one gets it', async () => {
  const places = new Places({ places: 1, maxWaiting: 2 })
  const leave = await places.enter({ timeoutMs: 60_000 })
  const late = places.enter({ timeoutMs: 5 })
  const next = places.enter({ timeoutMs: 60_000 })
  const until = performance.now() + 10
  while (performance.now() < until);
  leave()
  await expect(late).rejects.toMatchObject({ code: 'overloaded' })
  await expect(next).resolves.toBeTypeOf('function')
})

test('F208 of a storm all are turned away at once but those who have the time to wait, and hardly any of these in vain', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const places = new Places({ places: 2, maxWaiting: 1_000 })
  const one = async () => {
    const startedAt = performance.now()
    try {
      const leave = await places.enter({ timeoutMs: 3_000 })
      await new Promise((resolve) => setTimeout(resolve, 100))
      leave()
      return 'done'
    } catch {
      return performance.now() === startedAt ? 'turned away' : 'late'
    }
  }
  const all = async (length: number) => {
    const ends = Promise.all(Array.from({ length }, one))
    await vi.advanceTimersByTimeAsync(10_000)
    return await ends
  }
  expect(await all(4)).toEqual(['done', 'done', 'done', 'done'])
  const ends = await all(200)
  const count = (what: string) => ends.filter((end) => end === what).length
  // The last two would have had their turn in the moment their time is up.
  expect([count('done'), count('turned away'), count('late')]).toEqual([
    60, 138, 2,
  ])
})

import { expect, test } from 'vitest'
import { Places } from './places.ts'

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

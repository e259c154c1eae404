import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../fixtures/check-property.ts'
import { oneWinner } from './race.ts'

// Only what hangs gets there: it works for ten seconds where nothing else does.
const timeout = 600_000
const unhandled: unknown[] = []
const collect = (reason: unknown) => void unhandled.push(reason)

beforeAll(() => void process.on('unhandledRejection', collect))

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('unhandledRejection', collect)
  expect(unhandled).toEqual([])
})

test('a dispatch ends once, by the first that counts, whatever races in it', {
  timeout,
}, async () => {
  await check('race schedules', oneWinner(), { runs: 50_000 })
})

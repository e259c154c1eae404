import { expect, test } from 'vitest'
import { runEndless } from './fixtures/run-endless.ts'

test('a session of 5 000 turns takes no more memory than one of 1 000', {
  timeout: 60_000,
}, async () => {
  const { figures, growth, longest, ...told } = await runEndless(5_000)
  console.log(figures)
  const { compactions, observed, failed } = told
  expect({ observed, failed }).toEqual({ observed: 5_000, failed: 0 })
  expect(compactions).toBeGreaterThan(100)
  expect(longest).toBeLessThan(100)
  expect(growth).toBeLessThanOrEqual(0.15)
})

import { expect, test } from 'vitest'
import { runEndless } from './fixtures/run-endless.ts'

test('a session of 100 000 turns takes no more memory than one of 20 000', async () => {
  const { figures, growth, longest, ...told } = await runEndless(100_000)
  console.log(figures)
  const { compactions, observed, failed } = told
  expect({ observed, failed }).toEqual({ observed: 100_000, failed: 0 })
  expect(compactions).toBeGreaterThan(2_000)
  expect(longest).toBeLessThan(100)
  expect(growth).toBeLessThanOrEqual(0.1)
})

import { test } from 'vitest'
import { check } from '../fixtures/check-property.ts'
import { closedGate } from './closed-gate.ts'
import { finalReject } from './final-reject.ts'
import { oneWinner } from './race.ts'

// Twenty times the runs of the short tests, or as many as there is time for.
const limitMs = 150_000

test('I2 holds for hundreds of thousands of hook sets', async () => {
  const options = { runs: 400_000, limitMs }
  await check('I2 final reject, long', finalReject(), options)
})

test('I4 holds for hundreds of thousands of answers', async () => {
  const options = { runs: 400_000, limitMs }
  await check('I4 closed gate, long', closedGate(), options)
})

test('a dispatch ends once in hundreds of thousands of schedules', async () => {
  const options = { runs: 1_000_000, limitMs }
  await check('race schedules, long', oneWinner(), options)
})

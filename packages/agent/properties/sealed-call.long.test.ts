import { test } from 'vitest'
import { check } from '../../core/fixtures/check-property.ts'
import { createReach, sealedCall } from './sealed-call.ts'

// A hundred times the runs of the short test, or as many as there is time for.
const limitMs = 240_000

test('T19 holds for tens of thousands of hook sets, approvers and schedules', async () => {
  const options = { runs: 100_000, limitMs }
  await check('T19 sealed call, long', sealedCall(createReach()), options)
})

import { test } from 'vitest'
import { check } from '../fixtures/check-property.ts'
import { finalReject } from './final-reject.ts'

// Only what hangs gets there: it works for ten seconds where nothing else does.
const timeout = 600_000

test('I2 a reject stays a reject, whatever hooks are added in whatever order', {
  timeout,
}, async () => {
  await check('I2 final reject', finalReject(), { runs: 20_000 })
})

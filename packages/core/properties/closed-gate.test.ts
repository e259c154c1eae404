import { test } from 'vitest'
import { check } from '../fixtures/check-property.ts'
import { closedGate } from './closed-gate.ts'

// Only what hangs gets there: it works for ten seconds where nothing else does.
const timeout = 600_000

test('I4 a closed gate lets nothing pass without a valid answer in time', {
  timeout,
}, async () => {
  await check('I4 closed gate', closedGate(), { runs: 20_000 })
})

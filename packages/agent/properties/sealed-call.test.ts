import { expect, test } from 'vitest'
import { check } from '../../core/fixtures/check-property.ts'
import { createReach, sealedCall } from './sealed-call.ts'

// Only what hangs gets there: it works for ten seconds where nothing else does.
const timeout = 600_000
const runs = process.env['HOOKLINE_LONG'] === '1' ? 3_000 : 1_000

test('T19 a gate that approved {x: 1} cannot lead to {x: 99} being executed', {
  timeout,
}, async () => {
  const reach = createReach()
  await check('T19 sealed call', sealedCall(reach), { runs })
  // A law about calls that never ran would hold by itself.
  if (process.env['HOOKLINE_PATH'] !== undefined) return
  for (const [what, count] of Object.entries(reach)) {
    expect(count, `${what} too seldom`).toBeGreaterThan(runs / 100)
  }
})

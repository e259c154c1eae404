import { test } from 'vitest'
import { repetitions } from '../../../core/fixtures/repetitions.ts'
import {
  judgeSoak,
  judgeStreams,
  runSoak,
  runStreams,
} from './fixtures/judge-scale.ts'

const timeout = 900_000
const soakMs = repetitions({ short: 10_000, long: 180_000 })

test.each([2_000, 10_000])(
  'F194 %d streams at once have everything, cost little and hold up nobody',
  { timeout },
  async (count) => {
    console.log(judgeStreams(await runStreams({ count, events: 200 })))
  },
)

test('minutes at a high rate leave nothing behind', {
  timeout: soakMs * 5,
}, async () => {
  console.log(judgeSoak(await runSoak({ ms: soakMs, rounds: 6 })))
})

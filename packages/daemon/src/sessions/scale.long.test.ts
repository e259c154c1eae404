import { test } from 'vitest'
import {
  judgeSoak,
  judgeStreams,
  runSoak,
  runStreams,
} from './fixtures/judge-scale.ts'

const timeout = 900_000

test.each([2_000, 10_000])(
  'F194 %d streams at once have everything, cost little and hold up nobody',
  { timeout },
  async (count) => {
    console.log(judgeStreams(await runStreams({ count, events: 200 })))
  },
)

test('minutes at a high rate leave nothing behind', { timeout }, async () => {
  console.log(judgeSoak(await runSoak({ ms: 180_000, rounds: 6 })))
})

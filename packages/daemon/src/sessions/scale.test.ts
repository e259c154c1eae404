import { test } from 'vitest'
import {
  judgeSoak,
  judgeStreams,
  runSoak,
  runStreams,
} from './fixtures/judge-scale.ts'

const timeout = 120_000

test('200 streams at once have everything, cost little and hold up nobody', {
  timeout,
}, async () => {
  console.log(judgeStreams(await runStreams({ count: 200, events: 500 })))
})

test('ten seconds at a high rate leave nothing behind', {
  timeout,
}, async () => {
  console.log(judgeSoak(await runSoak({ ms: 10_000, rounds: 4 })))
})

import { expect, test } from 'vitest'
import { type HistoryLine, judgeHistory } from './fixtures/history.ts'
import type { JobState, ListedJob } from './job-queue.ts'

const begin = (fence: number, job = 'a'): HistoryLine => ({
  type: 'begin',
  job,
  fence,
  worker: 'w',
})
const end = (fence: number, settlement: string, job = 'a'): HistoryLine => ({
  type: 'end',
  job,
  fence,
  worker: 'w',
  settlement,
})

interface Judged {
  readonly state?: JobState | 'gone'
  readonly isIdempotent?: boolean
}

function judge(
  history: readonly HistoryLine[],
  { state = 'done', isIdempotent = true }: Judged = {},
) {
  // Only these are looked at.
  const job = { id: 'a', state, isIdempotent } as ListedJob
  const jobs = state === 'gone' ? [] : [job]
  return judgeHistory({ history, added: new Set(['a']), jobs })
}

const good = { lost: 0, unexpected: 0, duplicated: 0, repeated: 0 }

test('a job that was done, at once or by somebody else, is in order', () => {
  const once = [begin(1), end(1, 'done')]
  expect(judge(once)).toEqual({ ...good, recovered: 0 })
  const taken = [begin(1), begin(3), end(3, 'done'), end(1, 'lost_lease')]
  expect(judge(taken)).toEqual({ ...good, recovered: 1 })
})

test('whoever was done, and killed before it could write that down, is in order', () => {
  expect(judge([begin(1)])).toEqual({ ...good, recovered: 0 })
})

test('a job that is gone, or is not over, is lost', () => {
  expect(judge([begin(1)], { state: 'gone' })).toMatchObject({ lost: 1 })
  expect(judge([], { state: 'queued' })).toMatchObject({ lost: 1 })
  expect(judge([begin(1)], { state: 'running' })).toMatchObject({ lost: 1 })
})

test('a job that nobody added is unexpected', () => {
  const lines = [begin(1), end(1, 'done'), begin(1, 'b')]
  expect(judge(lines)).toMatchObject({ unexpected: 1 })
})

test('a job that was completed twice, or begun after it was completed, is duplicated', () => {
  const twice = [begin(1), begin(2), end(2, 'done'), end(1, 'done')]
  expect(judge(twice)).toMatchObject({ duplicated: 1 })
  const after = [begin(1), end(1, 'done'), begin(2)]
  expect(judge(after)).toMatchObject({ duplicated: 1 })
})

test('a job that must not be repeated, and was begun twice, is repeated', () => {
  const lines = [begin(1), begin(3)]
  const once = { isIdempotent: false, state: 'failed' } as const
  expect(judge(lines, once)).toMatchObject({ repeated: 1 })
})

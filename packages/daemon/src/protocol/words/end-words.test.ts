import { expect, test } from 'vitest'
import { whyEnded } from './end-words.ts'

const message = 'A hook is required at turn.pre_turn, and failed: threw.'

test.each([
  [{}, undefined],
  [{ reason: 'Not today.' }, 'Not today.'],
  [{ error: { message } }, message],
  [{ error: { message, hook: 'judge' } }, `${message} It is the hook "judge".`],
])('why a turn ended as %j is told as: %s', (end, words) => {
  expect(whyEnded(end)).toBe(words)
})

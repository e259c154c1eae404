import { expect, test } from 'vitest'
import { answererWords } from './answerer-words.ts'

test.each([
  [{ kind: 'person', name: 'user:ann' }, 'user:ann'],
  [{ kind: 'hook', name: 'user:ann' }, 'the hook "user:ann"'],
  [{ kind: 'hook' }, 'a hook that you may not see'],
  [{ kind: 'nobody', because: 'unanswered' }, 'nobody'],
])('whoever answered as %j is told as: %s', (by, words) => {
  expect(answererWords(by)).toBe(words)
})

import { expect, test } from 'vitest'
import { describeOutcome } from './ask-approval.ts'

test('an answer that does not count is told with the sentence that says why, not with its code', () => {
  const message = 'Somebody else has to agree.'
  const words = describeOutcome({
    ...{ type: 'refused', code: 'own-question', message },
  })
  expect(words).toBe(`This answer does not count. ${message}`)
  expect(describeOutcome({ type: 'accepted' })).toBe('That is decided.')
})

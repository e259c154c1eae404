import { expect, test } from 'vitest'
import { answerText } from './call-text.ts'

const ann = { kind: 'person', name: 'user:ann' } as const
const hook = { kind: 'hook', name: 'rule' } as const
const nobody = { kind: 'nobody', because: 'unanswered' } as const
const deny = { type: 'deny', reason: 'No' } as const

test.each([
  [{ type: 'allow' }, ann, 'Allowed by user:ann'],
  [deny, hook, 'Denied by the hook "rule"'],
  [deny, undefined, 'Denied by somebody'],
  [deny, nobody, 'Nobody answered'],
] as const)('an answer of %j by %j is told as: %s', (decision, by, words) => {
  expect(answerText({ id: 'q', decision, ...(by && { by }) })).toBe(words)
})

test('of what is not answered yet nothing is told', () => {
  expect(answerText({ id: 'q' })).toBeUndefined()
  expect(answerText(undefined)).toBeUndefined()
})

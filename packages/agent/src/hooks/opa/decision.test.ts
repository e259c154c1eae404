import { expect, test } from 'vitest'
import { decisionOf } from './decision.ts'

test.each([
  [true, 'allow'],
  [{ allow: true }, 'allow'],
  [{ allow: true, ask: false, reason: 'x', more: [1] }, 'allow'],
  [false, 'deny'],
  [undefined, 'deny'],
  [{ allow: false }, 'deny'],
  [{ allow: true, ask: true }, 'ask'],
  [{ allow: false, ask: true }, 'ask'],
  [null, 'unclear'],
  [0, 'unclear'],
  [1, 'unclear'],
  ['true', 'unclear'],
  [[], 'unclear'],
  [[true], 'unclear'],
  [{}, 'unclear'],
  [{ ask: true }, 'unclear'],
  [{ allow: 'true' }, 'unclear'],
  [{ allow: 1 }, 'unclear'],
  [{ allow: true, ask: 'no' }, 'unclear'],
  [{ allow: true, ask: null }, 'unclear'],
  [{ allow: false, reason: ['x'] }, 'unclear'],
])('%j is: %s', (result, type) => {
  expect(decisionOf(result).type).toBe(type)
})

test.each([
  ['It is late.', 'It is late'],
  ['  two\n\tlines?! ', 'two lines'],
  ['a\u202eb\u0000c', 'a b c'],
  ['...', 'the policy does not permit it'],
  ['x'.repeat(10_000), 'x'.repeat(500)],
  [`x${'😀'.repeat(500)}`, `x${'😀'.repeat(499)}`],
])('a reason is one line, to go on with: %j', (reason, why) => {
  expect(decisionOf({ allow: false, reason })).toEqual({ type: 'deny', why })
})

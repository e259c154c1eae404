import type { Grant } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { wide } from './fixtures/calls.ts'
import { isWithin } from './fixtures/is-within.ts'
import { intersectGrants, narrowGrant } from './grants.ts'

const meet = intersectGrants

describe('the intersection of two grants', () => {
  test.each([
    ['allow', 'ask', 'ask', 'Two.'],
    ['ask', 'deny', 'deny', 'Two.'],
    ['deny', 'allow', 'deny', 'One.'],
    ['deny', 'deny', 'deny', 'One.'],
    ['ask', 'ask', 'ask', 'One.'],
  ] as const)(
    'T16 %s and %s are %s, with the reason of the stricter',
    (first, second, decision, reason) => {
      const one = { ...wide, decision: first, reason: 'One.' }
      const other = { ...wide, decision: second, reason: 'Two.' }
      expect(meet(one, other)).toMatchObject({ decision, reason })
    },
  )

  test.each([
    ['mode', 'mode', 'mode'],
    ['mode', undefined, undefined],
    [undefined, 'mode', undefined],
  ] as const)(
    'T16 of two that ask, by %s and by %s, a rule is not lost behind a mode',
    (first, second, askedBy) => {
      const asks = (by: 'mode' | undefined, reason: string): Grant => ({
        ...{ ...wide, decision: 'ask', reason },
        ...(by && { askedBy: by }),
      })
      const both = meet(asks(first, 'One.'), asks(second, 'Two.'))
      expect(both).toMatchObject({ decision: 'ask', reason: 'One.' })
      expect(both.askedBy).toBe(askedBy)
    },
  )

  test('of two denials, the second gives the reason if the first has none', () => {
    const silent: Grant = { ...wide, decision: 'deny' }
    expect(meet(silent, { ...silent, reason: 'Two.' }).reason).toBe('Two.')
  })

  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['an unknown decision', { ...wide, decision: 'yes' }],
    ['an endless time', { ...wide, timeoutMs: Infinity }],
    ['no roots', { ...wide, roots: undefined }],
  ])('a policy that grants %s has denied', (_, grant) => {
    // What a policy in JavaScript can return, whatever the type says.
    const both = meet(wide, grant as Grant)
    expect(both.decision).toBe('deny')
    expect(both.reason).toContain('cannot be read')
    expect(isWithin(both, wide)).toBe(true)
  })
})

describe('a restriction', () => {
  test('that cannot be read denies, and says which part', () => {
    const after = narrowGrant(wide, { timeoutMs: Number.NaN, roots: ['/a'] })
    expect(after).toMatchObject({ decision: 'deny', roots: ['/a'] })
    expect(after.reason).toContain('timeoutMs')
  })
})

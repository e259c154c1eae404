import { describe, expect, test } from 'vitest'
import type { CallExplanation, ExplainedApproval } from '../schemas/records.ts'
import { approvalWords, endOfCall, verdictWords } from './call-words.ts'
import { agreed, allowedCall, passing } from './fixtures/explained-call.ts'
import { grantWords } from './grant-words.ts'

describe('how a call ended', () => {
  const end = (given: Partial<CallExplanation>) =>
    endOfCall({ ...allowedCall, ...given })

  test('names all who let it run', () => {
    expect(end({})).toEqual({
      end: 'allowed',
      words: 'was allowed by policy, and ran',
    })
    const trial = { ...passing, mode: 'evaluate' } as const
    expect(end({ verdicts: [passing, passing, trial] }).words).toBe(
      'was allowed by policy and 2 hooks, and ran',
    )
    const person = { kind: 'person', name: 'user:ann' } as const
    expect(end({ decidedBy: person }).words).toContain('by user:ann')
  })

  test('a call that ran and failed is no call that was allowed and well', () => {
    const after = { ...passing, point: 'tool.post_call', answer: 'transform' }
    expect(end({ error: 'threw', verdicts: [after] })).toEqual({
      end: 'failed',
      words:
        'was allowed by policy, and ran, and failed (threw); its result was changed by the hook "judge"',
    })
  })

  test('a call whose result was withheld has run, and did not fail', () => {
    const after = { ...passing, point: 'tool.post_call', answer: 'reject' }
    const error = 'withheld'
    expect(end({ error, verdicts: [{ ...after, decided: true }] })).toEqual({
      end: 'withheld',
      words:
        'was allowed by policy, and ran; its result was withheld by the hook "judge"',
    })
    // Who did it may be hidden, or gone from the records.
    expect(end({ error })).toEqual({
      end: 'withheld',
      words: 'was allowed by policy, and ran; its result was withheld',
    })
  })

  test('a result that a hook gave and another withheld did not run, and is not told as given', () => {
    const status = 'synthesized'
    const after = { ...passing, point: 'tool.post_call', answer: 'reject' }
    const decidedBy = { kind: 'hook', name: 'h' } as const
    const given = { status, decidedBy, error: 'withheld' } as const
    const verdicts = [{ ...after, decided: true }]
    expect(end({ ...given, verdicts })).toEqual({
      end: 'withheld',
      words:
        'did not run: the hook "h" gave its result; its result was withheld by the hook "judge"',
    })
    expect(end(given)).toEqual({
      end: 'withheld',
      words:
        'did not run: the hook "h" gave its result; its result was withheld',
    })
  })

  test.each([
    ['denied', { kind: 'hook' }, 'denied', /a hook that you may not see$/],
    ['denied', undefined, 'denied', /by somebody who is not on record$/],
    ['denied', { kind: 'check' }, 'denied', /no such tool/],
    ['denied', { kind: 'nobody' }, 'denied', /nobody did in time$/],
    [
      'denied',
      { kind: 'fault', name: 'the journal' },
      'denied',
      /^was denied: the journal failed/,
    ],
    ['synthesized', { kind: 'hook', name: 'h' }, 'answered', /"h" gave/],
    ['cancelled', undefined, 'cancelled', /^was cancelled$/],
    ['cancelled', { kind: 'hook', name: 'h' }, 'cancelled', /"h" ended/],
    ['unknown_outcome', { kind: 'policy' }, 'unknown', /nobody knows/],
  ] as const)('%s by %j is %s', (status, decidedBy, kind, words) => {
    const told = end({ status, decidedBy })
    expect(told.end).toBe(kind)
    expect(told.words).toMatch(words)
  })

  test('while it goes on, what it waits for is told', () => {
    const open = { status: undefined, decidedBy: undefined }
    expect(end({ ...open, state: 'waiting' }).end).toBe('waiting')
    expect(end({ ...open, state: 'sealed' })).toEqual({
      end: 'running',
      words: 'has not ended: it is sealed',
    })
  })

  test('an end that only a newer daemon knows is still an end', () => {
    const newer: Partial<CallExplanation> = JSON.parse('{"status":"deferred"}')
    expect(end(newer)).toEqual({ end: 'unknown', words: 'ended as deferred' })
  })
})

test.each([
  [{}, 'let it pass'],
  [{ answer: 'reject', decided: true }, 'denied it, which decided it'],
  [{ answer: 'reject', mode: 'evaluate' }, 'denied it; it is only evaluated'],
  [{ point: 'tool.post_call', answer: 'reject' }, 'withheld the result'],
  [{ answer: 'constructor' }, 'answered "constructor"'],
  [{ state: 'skipped' }, 'was not asked; it was decided before'],
  [
    {
      state: 'failed',
      failure: { code: 'threw', message: 'Hook "judge" failed: threw.' },
      policy: 'open',
      failedOpen: true,
    },
    'failed: threw; open: all went on as if it were not there',
  ],
  [
    {
      state: 'failed',
      failure: {
        code: 'unavailable',
        message: 'Hook "judge" failed: unavailable.',
      },
      policy: 'open',
      failedOpen: true,
    },
    'could not be asked (unavailable); open: all went on as if it were not there',
  ],
  [
    {
      state: 'timed_out',
      failure: { code: 'timed-out', message: '' },
      policy: 'closed',
    },
    'took too long; closed: it counted as a refusal',
  ],
] as const)('of a verdict with %j is told: %s', (given, words) => {
  expect(verdictWords({ ...passing, ...given })).toBe(words)
})

test('what came of asking people is told with who said so, and for how long', () => {
  const words = (given: Partial<ExplainedApproval>) =>
    approvalWords({ ...agreed, ...given })
  expect(words({})).toBe('user:bob agreed')
  expect(words({ lasts: 'session' })).toBe('user:bob agreed, for: session')
  expect(words({ state: 'denied', lasts: 'once' })).toBe('user:bob said no')
  expect(words({ state: 'expired' })).toBe('nobody answered in time')
})

test('what policy granted is told with its limits', () => {
  const grant = { decision: 'allow', sandbox: 'workspace', roots: ['.', 'a'] }
  expect(grantWords({ grant })).toBe(
    'allowed it: sandbox workspace; folders ., a',
  )
  expect(grantWords({ grant: { decision: { odd: 1 } } })).toBe(
    'said "{"odd":1}"',
  )
  expect(grantWords({ decidedBy: { kind: 'policy' } })).toBe('denied it')
  expect(grantWords({ grant: null })).toBeUndefined()
})

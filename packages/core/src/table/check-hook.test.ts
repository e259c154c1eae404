import { describe, expect, test } from 'vitest'
import { deadline } from '../define/define-hook.ts'
import { defineKind } from '../define/define-kind.ts'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, HookError, type Point, proceed } from '../engine/index.ts'
import { checkHook } from './check-hook.ts'

const input = type<object>()
const note = defineKind<{ text: string }>()('note', {
  check: (value) => (Object(value).text === '' ? 'is empty' : undefined),
})
const trace = defineKind<string>()('trace', { unwaited: true })
const elsewhere = defineKind<string>()('elsewhere')

const gate = definePoint('gate', {
  input,
  output: type<string>(),
  answers: ['reject', 'transform', 'respond'],
  contributes: [note, trace],
  rights: { respond: 'approve' },
  limits: { chars: 100, depth: 4 },
})
const mild = definePoint('mild', { input })
const spoken = definePoint('spoken', { input, isStreamed: true })
const watched = definePoint('watched', {
  input,
  flow: 'observe',
  contributes: [trace],
})

/** What is declared here, types would refuse in part. */
function problemOf(declared: Readonly<Record<string, unknown>>): string {
  const hook = { name: 'h', on: gate, run: () => proceed, ...declared }
  try {
    checkHook(hook as Hook)
    return 'none'
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    expect(error).toMatchObject({ code: 'invalid-hook', hook: hook.name })
    const [, problem] = /^Hook ".*?" (.*)\.$/s.exec(error.message) ?? []
    return problem ?? error.message
  }
}

test('a hook that declares only what it must has no problem', () => {
  expect(problemOf({})).toBe('none')
  expect(problemOf({ on: mild })).toBe('none')
  expect(problemOf({ on: watched })).toBe('none')
})

describe('the name', () => {
  const problem =
    'needs a name of letters, digits and . : / @ _ - (at most 128)'

  test.each([
    'a',
    'no-force-push',
    '@scope/pack:hook_1.v2',
    'x'.repeat(128),
    '__proto__',
  ])('%s is one', (name) => {
    expect(problemOf({ name })).toBe('none')
  })

  test.each([
    '',
    ' ',
    'two words',
    'line\n',
    '\nline',
    'a"b',
    'über',
    '😀',
    'a\u0000',
    'a\u202eb',
    'x'.repeat(129),
  ])('%j is none', (name) => {
    expect(problemOf({ name })).toBe(problem)
  })
})

test.each([undefined, null, 'run', {}])(
  'a hook whose run is %j is refused',
  (run) => {
    expect(problemOf({ run })).toBe('has no function `run`')
  },
)

test.each([Number.NaN, Infinity, -Infinity, '1', null])(
  'a priority of %s is refused',
  (priority) => {
    expect(problemOf({ priority })).toBe('has a priority that is not a number')
  },
)

describe('time', () => {
  test('a deadline and timeoutMs exclude each other', () => {
    const both = { execution: deadline(5), timeoutMs: 5 }
    expect(problemOf(both)).toBe('has both a deadline and timeoutMs; keep one')
  })

  test.each([0, -0, -1, Infinity, Number.NaN, '5'])(
    'a time limit of %s is refused, as a deadline and as timeoutMs',
    (ms) => {
      const problem = 'has a time limit that is not a positive number'
      expect(problemOf({ timeoutMs: ms })).toBe(problem)
      expect(problemOf({ execution: { deadlineMs: ms } })).toBe(problem)
      expect(problemOf({ execution: 'record', timeoutMs: ms })).toBe(problem)
    },
  )

  test('any positive time will do, and an observer may have one', () => {
    expect(problemOf({ timeoutMs: 0.1 })).toBe('none')
    expect(problemOf({ execution: deadline(1e12) })).toBe('none')
    expect(problemOf({ execution: 'background', timeoutMs: 5 })).toBe('none')
  })
})

describe('execution', () => {
  test.each(['blocking', deadline(5)])(
    'a hook that is waited for (%j) is refused at an observe point',
    (execution) => {
      expect(problemOf({ on: watched, execution })).toBe(
        'is waited for, but watched only has observers',
      )
    },
  )

  test.each(['record', 'background'])(
    'a %s hook can be at any point',
    (execution) => {
      for (const on of [gate, mild, watched]) {
        expect(problemOf({ on, execution })).toBe('none')
      }
    },
  )
})

describe('writes', () => {
  test('is refused where nothing can be changed', () => {
    const problem = 'writes, but nothing can be changed at mild'
    expect(problemOf({ on: mild, writes: true })).toBe(problem)
    expect(problemOf({ on: mild, writes: false })).toBe('none')
  })

  test('is fine where a hook can transform or replace', () => {
    const swap = definePoint('swap', { input, answers: ['replace'] })
    expect(problemOf({ writes: true })).toBe('none')
    expect(problemOf({ on: swap, writes: true })).toBe('none')
  })
})

describe('what is held back', () => {
  const holds = (holdBack: unknown, more = {}) =>
    problemOf({ on: spoken, holdBack, ...more })

  test.each([
    'all',
    'sentence',
    'none',
    { window: 1 },
    { window: 2_000 },
    undefined,
  ])('can be %j where something is streamed', (holdBack) => {
    expect(holds(holdBack)).toBe('none')
    expect(holds(holdBack, { execution: deadline(5) })).toBe('none')
  })

  test.each(['all', 'sentence', 'none', { window: 1 }])(
    'cannot be %j where nothing is streamed',
    (holdBack) => {
      expect(holds(holdBack, { on: gate })).toBe(
        'holds back, but nothing is streamed at gate',
      )
    },
  )

  test('can be left to a look at the text, and to nothing else', () => {
    const safeUntil = (text: string) => text.length
    expect(problemOf({ on: spoken, safeUntil })).toBe('none')
    expect(problemOf({ on: gate, safeUntil })).toContain('nothing is streamed')
    expect(problemOf({ on: spoken, safeUntil, holdBack: 'all' })).toBe(
      'has both `holdBack` and `safeUntil`; keep one',
    )
    expect(problemOf({ on: spoken, safeUntil: 7 })).toBe(
      'has a `safeUntil` that is no function',
    )
  })

  test('cannot be said of a hook that nobody waits for', () => {
    const heard = definePoint('heard', {
      input,
      flow: 'observe',
      isStreamed: true,
    })
    const problem = 'holds back, but nobody waits for it'
    for (const holdBack of ['all', 'none', { window: 1 }]) {
      expect(holds(holdBack, { execution: 'record' })).toBe(problem)
      expect(holds(holdBack, { execution: 'background' })).toBe(problem)
      expect(holds(holdBack, { on: heard })).toBe(problem)
    }
  })

  test.each(['', 'All', 'word', 'window', 5, true, null])(
    'is not %j, an unknown word',
    (holdBack) => {
      expect(holds(holdBack)).toBe(
        'has an unknown holdBack; use all, sentence, none or a window',
      )
    },
  )

  test.each([0, -0, -1, 1.5, Number.NaN, Infinity, '5', null, undefined])(
    'is not a window of %s',
    (window) => {
      const problem = 'holds back a window that is no positive whole number'
      expect(holds({ window })).toBe(problem)
    },
  )

  test.each([[{}], [[]], [[5]], [{ size: 5 }]])(
    'is not %j, which has no window',
    (holdBack) => {
      expect(holds(holdBack)).toMatch(/^holds back a window that is no/)
    },
  )
})

describe('the failure policy', () => {
  test('closed is refused where nothing can be rejected', () => {
    const closed = { on: mild, onFailure: 'closed' }
    expect(problemOf(closed)).toBe(
      'fails closed, but nothing can be rejected at mild',
    )
    expect(problemOf({ onFailure: 'closed' })).toBe('none')
  })

  test.each(['open', 'required'])('%j is fine at any point', (onFailure) => {
    for (const on of [gate, mild]) {
      expect(problemOf({ on, onFailure })).toBe('none')
    }
  })

  test.each(['closed', 'required', { fallback: {} }])(
    'of a hook that nobody waits for cannot be %j',
    (onFailure) => {
      for (const execution of ['record', 'background']) {
        expect(problemOf({ execution, onFailure })).toBe(
          'is not waited for, so its failure policy can only be open',
        )
      }
      expect(problemOf({ on: watched, onFailure })).toMatch(/only be open$/)
    },
  )

  test('of a hook that nobody waits for can be open', () => {
    expect(problemOf({ execution: 'record', onFailure: 'open' })).toBe('none')
  })

  test.each(['fallback', 'Closed', 'skip', '', true, 1])(
    '%j is unknown',
    (onFailure) => {
      expect(problemOf({ onFailure })).toBe(
        'has an unknown onFailure; use closed, open, required or a fallback',
      )
    },
  )
})

describe('a fallback value', () => {
  const fallBack = (value: unknown, writes = true) =>
    problemOf({ writes, onFailure: { fallback: { value } } })

  test('is fine for a hook that writes', () => {
    expect(fallBack({ safe: true })).toBe('none')
    expect(fallBack(null)).toBe('none')
  })

  test('is refused for a hook that does not', () => {
    expect(fallBack({}, false)).toBe(
      'has a fallback value, but does not declare writes',
    )
  })

  test.each([
    ['not-data', new Date()],
    ['not-data', { run: () => {} }],
    ['not-data', [1, undefined]],
    ['too-deep', [[[[[]]]]]],
    ['too-large', 'x'.repeat(101)],
  ])('that is %s by the limits of the point is refused', (problem, value) => {
    expect(fallBack(value)).toBe(`has a fallback value that is ${problem}`)
  })

  test('or contributions there must be: a fallback on nothing is open', () => {
    expect(problemOf({ onFailure: { fallback: {} } })).toBe(
      'has a fallback with nothing in it; use open',
    )
  })
})

describe('a fallback contribution', () => {
  const fallBack = (
    contributions: readonly unknown[],
    capabilities = ['note'],
  ) => problemOf({ capabilities, onFailure: { fallback: { contributions } } })

  test('is fine with its capability', () => {
    expect(fallBack([note({ text: 'a' }), note({ text: 'b' })])).toBe('none')
  })

  test('is refused without it', () => {
    const problem = 'has a bad fallback: missing-capability'
    expect(fallBack([note({ text: 'a' })], [])).toBe(problem)
    expect(fallBack([note({ text: 'a' }), trace('b')])).toBe(problem)
  })

  test('is refused when the point does not take its kind', () => {
    const problem = 'has a bad fallback: contribution-not-allowed'
    expect(fallBack([elsewhere('a')])).toBe(problem)
  })

  test('is refused when its kind finds it wrong', () => {
    const problem = 'has a bad fallback: contribution-not-allowed'
    expect(fallBack([note({ text: '' })])).toBe(problem)
  })

  test('is refused when it is not data', () => {
    const live = { text: 'a', at: new Date() }
    expect(fallBack([note(live)])).toMatch(/^has a bad fallback: /)
  })
})

describe('a job that is tried again', () => {
  const retry = { type: 'fixed', delayMs: 10, maxAttempts: 3 } as const
  const job = { execution: 'background', onFailure: 'open' }

  test('is a background hook that says it is idempotent', () => {
    expect(problemOf({ ...job, idempotent: true, retry })).toBe('none')
    expect(problemOf({ ...job, idempotent: true })).toBe('none')
  })

  test('is nothing else', () => {
    expect(problemOf({ ...job, retry })).toBe(
      'is tried again, but does not say it is idempotent',
    )
    expect(problemOf({ idempotent: true })).toBe(
      'is idempotent, but is no background job',
    )
  })

  test.each([
    { ...retry, type: 'sometimes' },
    { ...retry, delayMs: -1 },
    { ...retry, delayMs: Number.NaN },
    { ...retry, maxAttempts: 0 },
    { ...retry, maxAttempts: 1.5 },
  ])('says how, in words and numbers that can be: %j', (wrong) => {
    expect(problemOf({ ...job, idempotent: true, retry: wrong })).toBe(
      'has a `retry` that is not a type, a delay and a number of attempts',
    )
  })
})

describe('a capability', () => {
  const declares = (name: string, on: Point = gate, execution?: string) =>
    problemOf({ on, capabilities: [name], ...(execution && { execution }) })

  test('is a kind that the point takes, or a right that an answer needs', () => {
    for (const name of ['note', 'trace', 'approve']) {
      expect(declares(name)).toBe('none')
    }
  })

  test.each(['elsewhere', 'respond', 'toString', '__proto__', ''])(
    '"%s" is refused where the point does not take it',
    (name) => {
      expect(declares(name)).toContain(
        `declares the capability "${name}", but gate takes: `,
      )
    },
  )

  test('is refused for a hook that nobody waits for, unless its kind allows it', () => {
    const problem = 'contributes "note", but nobody waits for it'
    expect(declares('note', gate, 'record')).toBe(problem)
    expect(declares('note', gate, 'background')).toBe(problem)
    expect(declares('trace', gate, 'record')).toBe('none')
    expect(declares('trace', watched)).toBe('none')
  })
})

import { describe, expect, test } from 'vitest'
import type { Kind } from '../../engine/index.ts'
import { audit } from './audit.ts'
import { job } from './job.ts'
import { notice } from './notice.ts'
import { policy } from './policy.ts'
import { promptContext } from './prompt-context.ts'
import { promptSection } from './prompt-section.ts'
import { restriction } from './restriction.ts'
import { toolBundle } from './tool-bundle.ts'

const tool = {
  name: 'recall',
  description: '',
  inputSchema: {},
  safety: 'read_only',
  idempotent: true,
  timeoutMs: 5_000,
  checkArgs: (args: object) => ({ args }),
  dispatch: () => ({ content: [], isError: false }),
}

interface Case {
  readonly kind: Kind
  /** Every property, so that each can be made wrong in turn. */
  readonly full: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

const limits = { depth: 64, keys: 10_000, chars: 1_048_576 }

const cases: readonly Case[] = [
  {
    kind: policy,
    full: { domain: 'memory', key: 'write', value: null, weight: 1.5 },
    required: ['domain', 'key', 'value'],
  },
  {
    kind: promptContext,
    full: {
      id: 'fact/1',
      domain: 'memory',
      content: '',
      weight: -1,
      maxCodePoints: 0,
      sources: ['a b'],
      isDurable: false,
    },
    required: ['id', 'domain', 'content'],
  },
  {
    kind: promptSection,
    full: {
      section: 'memory',
      content: '',
      title: '😀'.repeat(120),
      order: 1,
      maxCodePoints: 10,
    },
    required: ['section', 'content'],
  },
  {
    kind: restriction,
    full: {
      sandbox: 'read_only',
      roots: ['/project/src', ''],
      network: { hosts: ['example.org'] },
      timeoutMs: 0,
      maxOutputBytes: 1_024,
    },
    required: [],
  },
  { kind: toolBundle, full: { tools: [tool] }, required: ['tools'] },
  {
    kind: notice,
    full: { message: 'Hello.', level: 'warning' },
    required: ['message'],
  },
  {
    kind: audit,
    full: { event: 'seen', details: {}, isSafeForUser: true },
    required: ['event'],
  },
  {
    kind: job,
    full: { id: 'index', payload: 0, idempotencyKey: 'turn 1' },
    required: ['id', 'payload'],
  },
]

describe.each(cases)('$kind.kind', ({ kind, full, required }) => {
  test('takes a value with all it can have, or only what it must', () => {
    expect(kind.seal(full, limits).problem).toBeUndefined()
    const least = required.map((name) => [name, full[name]])
    expect(kind.seal(Object.fromEntries(least), limits).problem).toBeUndefined()
  })

  test.each(required)('needs %s', (name) => {
    const { [name]: _, ...rest } = full
    expect(kind.seal(rest, limits).problem).toContain(`"${name}"`)
  })

  test('names the property that is wrong, and does not repeat its value', () => {
    const free = ['value', 'payload']
    for (const name of Object.keys(full).filter((one) => !free.includes(one))) {
      const problem = kind.seal(
        { ...full, [name]: ['sec ret'] },
        limits,
      ).problem
      const isList = ['sources', 'roots'].includes(name)
      if (isList) expect(problem).toBeUndefined()
      else expect(problem).toContain(`"${name}"`)
      expect(problem ?? '').not.toContain('sec ret')
    }
  })

  test.each([undefined, null, 'text', 1, [], () => {}])(
    'is not %s',
    (value) => {
      expect(kind.seal(value, limits).problem).toMatch(
        /^is not(-data| an object)$/,
      )
    },
  )

  test('does not take what its prototype has for its own', () => {
    expect(kind.seal(Object.create(full), limits).problem).toBeTypeOf('string')
  })
})

test('only audit and jobs come from hooks that nobody waits for', () => {
  const unwaited = cases.filter(({ kind }) => kind.unwaited)
  expect(unwaited.map(({ kind }) => kind.kind)).toEqual(['audit', 'job'])
})

test('only tools hold functions', () => {
  const live = cases.filter(
    ({ kind, full }) =>
      kind.seal({ ...full, extra: () => {} }, limits).problem !== 'is not-data',
  )
  expect(live.map(({ kind }) => kind.kind)).toEqual(['tools'])
})

test.each([
  [policy.kind, policy, { domain: 'a b', key: 'k', value: 1 }],
  [policy.kind, policy, { domain: 'a'.repeat(129), key: 'k', value: 1 }],
  [policy.kind, policy, { domain: '', key: 'k', value: 1 }],
  [
    policy.kind,
    policy,
    { domain: 'd', key: 'k', value: 1, weight: Number.NaN },
  ],
  [
    promptContext.kind,
    promptContext,
    { id: 'i', domain: 'd', content: 'c', maxCodePoints: -1 },
  ],
  [
    promptContext.kind,
    promptContext,
    { id: 'i', domain: 'd', content: 'c', maxCodePoints: 1.5 },
  ],
  [
    promptContext.kind,
    promptContext,
    { id: 'i', domain: 'd', content: 'c', sources: [1] },
  ],
  [
    promptSection.kind,
    promptSection,
    { section: 's', content: 'c', title: ' ' },
  ],
  [
    promptSection.kind,
    promptSection,
    { section: 's', content: 'c', title: 'two\nlines' },
  ],
  [
    promptSection.kind,
    promptSection,
    { section: 's', content: 'c', title: 'x'.repeat(121) },
  ],
  [
    toolBundle.kind,
    toolBundle,
    { tools: [tool, { ...tool, dispatch: 'run' }] },
  ],
  [toolBundle.kind, toolBundle, { tools: [{ ...tool, safety: 'harmless' }] }],
  [toolBundle.kind, toolBundle, { tools: [{ ...tool, timeoutMs: -1 }] }],
  [toolBundle.kind, toolBundle, { tools: [{ ...tool, checkArgs: {} }] }],
  [notice.kind, notice, { message: ' \n' }],
  [notice.kind, notice, { message: 'm', level: 'fatal' }],
  [job.kind, job, { id: 'i', payload: 1, idempotencyKey: '' }],
] as const)(
  '%s refuses a property of the wrong content (%#)',
  (_, kind: Kind, value: unknown) => {
    expect(kind.seal(value, limits).problem).toBeTypeOf('string')
  },
)

test('a wrong tool is found by its place in the bundle', () => {
  const tools = [tool, { ...tool, name: 'two words' }]
  expect(toolBundle.seal({ tools }, limits).problem).toBe(
    'has a "tools" that has an entry 1 that has a "name" that is not a name of letters, digits and . : / @ _ - (at most 128)',
  )
})

describe('a restriction', () => {
  const problemOf = (value: unknown) => restriction.seal(value, limits).problem

  test.each([
    {},
    { sandbox: 'none' },
    { sandbox: 'workspace' },
    { roots: [] },
    { network: 'none' },
    { network: 'all' },
    { network: { hosts: [] } },
    { network: { hosts: ['a.example', 'b.example'] } },
    { timeoutMs: 1, maxOutputBytes: 0 },
  ])('can be %j', (value) => {
    expect(problemOf(value)).toBeUndefined()
  })

  test.each([
    ['sandbox', 'container'],
    ['sandbox', null],
    ['roots', '/project'],
    ['roots', [1]],
    ['roots', null],
    ['network', null],
    ['network', 'some'],
    ['network', true],
    ['network', []],
    ['network', ['a.example']],
    ['network', {}],
    ['network', { hosts: 'a.example' }],
    ['network', { hosts: [null] }],
    ['timeoutMs', -1],
    ['timeoutMs', 1.5],
    ['timeoutMs', '5'],
    ['timeoutMs', null],
    ['maxOutputBytes', -1],
    ['maxOutputBytes', 2 ** 53],
  ])('has no %s that is %j', (name, value) => {
    expect(problemOf({ [name]: value })).toMatch(`has a "${name}" that `)
  })

  test.each(['netwrok', 'decision', 'reason'])('has no %s at all', (name) => {
    expect(problemOf({ [name]: 'none' })).toMatch('has more than: sandbox')
  })

  test('tells a wrong host by its place, and not what it is', () => {
    const hosts = ['secret.example', 7]
    expect(problemOf({ network: { hosts } })).toBe(
      'has a "network" that has a "hosts" that has an entry 1 that is not text',
    )
  })
})

import { getEventListeners } from 'node:events'
import type { PermissionDecision } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { questionOf, scope } from './fixtures/calls.ts'
import {
  createMemoryApprovals,
  type MemoryApprovalsOptions,
} from './memory-approvals.ts'

const allow: PermissionDecision = { type: 'allow' }
const deny: PermissionDecision = { type: 'deny', reason: 'No.' }

function setUp(options: MemoryApprovalsOptions = {}) {
  const clock = createFakeClock(1_000_000)
  const approvals = createMemoryApprovals({ clock, ...options })
  const stop = new AbortController()
  const { signal } = stop
  const ask = (id: string) => approvals.ask(questionOf(id), { scope, signal })
  const isClean = () =>
    clock.pending === 0 &&
    getEventListeners(signal, 'abort').length === 0 &&
    approvals.pending().length === 0
  return { clock, approvals, stop, ask, isClean }
}

describe('a question', () => {
  test('waits for its answer, and says who gave it', async () => {
    const { approvals, ask, isClean } = setUp()
    const asked = ask('q')
    expect(approvals.answer('q', allow, 'ann')).toBe('accepted')
    expect(await asked).toEqual({ decision: allow, by: 'ann' })
    expect(isClean()).toBe(true)
  })

  test('can be seen while it is open', async () => {
    const { approvals, ask } = setUp({ expiresMs: 500 })
    const asked = [ask('one'), ask('two')]
    expect(approvals.pending().map(({ question }) => question.id)).toEqual([
      'one',
      'two',
    ])
    expect(approvals.pending()[0]).toEqual({
      question: questionOf('one'),
      scope,
      askedAt: 1_000_000,
      expiresAt: 1_000_500,
    })
    for (const id of ['one', 'two']) approvals.answer(id, allow, 'ann')
    await Promise.all(asked)
    expect(approvals.pending()).toEqual([])
  })

  test('gets its own answer among several, in whatever order they come', async () => {
    const { approvals, ask, isClean } = setUp()
    const [one, two] = [ask('one'), ask('two')]
    approvals.answer('two', deny, 'bob')
    approvals.answer('one', allow, 'ann')
    expect((await one).by).toBe('ann')
    expect((await two).decision).toEqual(deny)
    expect(isClean()).toBe(true)
  })

  test('can be answered by whoever is told of it, at once', async () => {
    const { approvals, ask } = setUp({
      onQuestion: ({ question }) => {
        approvals.answer(question.id, allow, 'robot')
      },
    })
    expect((await ask('q')).by).toBe('robot')
  })

  test('fails if whoever is to be told of it fails', async () => {
    const onQuestion = () => {
      throw new Error('no screen')
    }
    const { ask, isClean, approvals } = setUp({ onQuestion })
    await expect(ask('q')).rejects.toThrow('no screen')
    expect(isClean()).toBe(true)
    expect(approvals.answer('q', allow, 'ann')).toBe('unknown')
  })

  test('is denied if its id is open already, and the first one stays', async () => {
    const { approvals, ask } = setUp()
    const first = ask('q')
    expect(await ask('q')).toMatchObject({ decision: { type: 'deny' } })
    expect(approvals.answer('q', allow, 'ann')).toBe('accepted')
    expect((await first).by).toBe('ann')
  })

  test('may be put again after it has ended', async () => {
    const { approvals, ask } = setUp()
    const first = ask('q')
    approvals.answer('q', deny, 'ann')
    await first
    const again = ask('q')
    expect(approvals.answer('q', allow, 'bob')).toBe('accepted')
    expect((await again).by).toBe('bob')
  })
})

describe('an answer', () => {
  test('is the only one: the second is told, and changes nothing', async () => {
    const { approvals, ask } = setUp()
    const asked = ask('q')
    expect(approvals.answer('q', deny, 'ann')).toBe('accepted')
    expect(approvals.answer('q', allow, 'bob')).toBe('answered')
    expect(approvals.answer('q', deny, 'ann')).toBe('answered')
    expect(await asked).toEqual({ decision: deny, by: 'ann' })
  })

  test('that comes before its question has no effect', async () => {
    const { approvals, ask, clock } = setUp({ expiresMs: 10 })
    expect(approvals.answer('q', allow, 'ann')).toBe('unknown')
    const asked = ask('q')
    await clock.advance(10)
    expect((await asked).by).toBe('expiry')
  })

  test('is a copy: what is changed later changes nothing', async () => {
    const { approvals, ask } = setUp()
    const asked = ask('q')
    const args = { path: ['a'] }
    approvals.answer('q', { type: 'edit', args }, 'ann')
    args.path.push('b')
    const { decision } = await asked
    expect(decision).toEqual({ type: 'edit', args: { path: ['a'] } })
    expect(Object.isFrozen(decision)).toBe(true)
  })

  test.each([
    undefined,
    null,
    'allow',
    {},
    { type: 'yes' },
    { type: 'deny' },
    { type: 'edit' },
    { type: 'edit', args: null },
    { type: 'edit', args: ['a'] },
    { type: 'edit', args: 'a' },
    { type: 'edit', args: new Map() },
    { type: 'edit', args: { run: () => {} } },
  ])('of %j is refused, and the question stays open', async (odd) => {
    const { approvals, ask } = setUp()
    const asked = ask('q')
    // What can come from outside, whatever the type says.
    const decision = odd as PermissionDecision
    const invalid = expect.objectContaining({ code: 'invalid-answer' })
    expect(() => approvals.answer('q', decision, 'ann')).toThrow(invalid)
    expect(approvals.answer('q', deny, 'ann')).toBe('accepted')
    expect((await asked).decision).toEqual(deny)
  })

  test('is remembered for the last thousand questions only', async () => {
    const { approvals, ask } = setUp()
    for (let index = 0; index <= 1_000; index++) {
      const asked = ask(`q${index}`)
      approvals.answer(`q${index}`, allow, 'ann')
      await asked
    }
    expect(approvals.answer('q0', allow, 'bob')).toBe('unknown')
    expect(approvals.answer('q1', allow, 'bob')).toBe('answered')
    expect(approvals.answer('q1000', allow, 'bob')).toBe('answered')
  })
})

describe('an abort', () => {
  test('removes the question, and is no denial', async () => {
    const { approvals, ask, stop, isClean } = setUp()
    const asked = ask('q')
    stop.abort(new Error('turn over'))
    expect(isClean()).toBe(true)
    await expect(asked).rejects.toThrow('turn over')
    expect(approvals.answer('q', allow, 'ann')).toBe('unknown')
  })

  test('before the question means that it is never put', async () => {
    const seen: unknown[] = []
    const { ask, stop, isClean } = setUp({
      onQuestion: (pending) => seen.push(pending),
    })
    stop.abort(new Error('turn over'))
    await expect(ask('q')).rejects.toThrow('turn over')
    expect(seen).toEqual([])
    expect(isClean()).toBe(true)
  })

  test('in the tick of an answer, but after it, changes nothing', async () => {
    const { approvals, ask, stop, isClean } = setUp()
    const asked = ask('q')
    expect(approvals.answer('q', allow, 'ann')).toBe('accepted')
    stop.abort()
    expect((await asked).by).toBe('ann')
    expect(isClean()).toBe(true)
  })

  test('in the tick of an answer, but before it, wins', async () => {
    const { approvals, ask, stop } = setUp()
    const asked = ask('q')
    stop.abort(new Error('turn over'))
    expect(approvals.answer('q', allow, 'ann')).toBe('unknown')
    await expect(asked).rejects.toThrow('turn over')
  })
})

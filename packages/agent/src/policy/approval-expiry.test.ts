import type { PermissionDecision } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { questionOf, scope } from './fixtures/calls.ts'
import { createMemoryApprovals } from './memory-approvals.ts'

const allow: PermissionDecision = { type: 'allow' }
const longestTimerMs = 2_147_483_647

function setUp(expiresMs?: number) {
  const clock = createFakeClock()
  const timers: number[] = []
  let blockedMs = 0
  const watched = {
    ...clock,
    // Time can pass while the event loop stands still, and no timer fires.
    now: () => clock.now() + blockedMs,
    after(ms: number, callback: () => void) {
      timers.push(ms)
      return clock.after(ms, callback)
    },
  }
  const approvals = createMemoryApprovals({
    clock: watched,
    ...(expiresMs === undefined ? {} : { expiresMs }),
  })
  const { signal } = new AbortController()
  const asked = approvals.ask(questionOf('q'), { scope, signal })
  const block = (ms: number) => {
    blockedMs += ms
  }
  return { clock, timers, approvals, asked, block }
}

test('F191 a question that nobody answers in time is denied, and says so', async () => {
  const { clock, approvals, asked } = setUp()
  await clock.advance(1_800_000 - 1)
  expect(approvals.pending()).toHaveLength(1)
  await clock.advance(1)
  expect(await asked).toMatchObject({
    decision: { type: 'deny', reason: expect.stringContaining('in time') },
    by: 'expiry',
  })
  expect(approvals.pending()).toEqual([])
  expect(clock.pending).toBe(0)
})

test('F180 an answer after the expiry is told so, and has no effect', async () => {
  const { clock, approvals, asked } = setUp(10)
  await clock.advance(10)
  expect(approvals.answer('q', allow, 'ann')).toBe('expired')
  expect((await asked).by).toBe('expiry')
})

test('an answer just before the expiry counts, and the expiry does not', async () => {
  const { clock, approvals, asked } = setUp(10)
  await clock.advance(9)
  expect(approvals.answer('q', allow, 'ann')).toBe('accepted')
  await clock.advance(100)
  expect((await asked).by).toBe('ann')
  expect(approvals.answer('q', allow, 'ann')).toBe('answered')
})

test('F191 time is over when the clock says so, even if no timer had its turn', async () => {
  const { clock, approvals, asked, block } = setUp(10)
  block(10)
  expect(approvals.answer('q', allow, 'ann')).toBe('expired')
  expect((await asked).by).toBe('expiry')
  expect(clock.pending).toBe(0)
})

test('F185 a wait that is longer than a timer is made of several, and none fires early', async () => {
  const expiresMs = longestTimerMs * 2 + 5
  const { clock, timers, approvals, asked } = setUp(expiresMs)
  await clock.advance(expiresMs - 1)
  expect(approvals.pending()).toHaveLength(1)
  await clock.advance(1)
  expect((await asked).by).toBe('expiry')
  expect(timers).toEqual([longestTimerMs, longestTimerMs, 5])
  expect(clock.pending).toBe(0)
})

test('F185 an answer between two timers leaves none behind', async () => {
  const { clock, approvals, asked } = setUp(longestTimerMs * 2)
  await clock.advance(longestTimerMs + 1)
  expect(approvals.answer('q', allow, 'ann')).toBe('accepted')
  expect((await asked).by).toBe('ann')
  expect(clock.pending).toBe(0)
})

test.each([0, -1, Number.NaN, Infinity])(
  'a wait of %s milliseconds is refused',
  (expiresMs) => {
    expect(() => createMemoryApprovals({ expiresMs })).toThrow(
      'positive number',
    )
  },
)

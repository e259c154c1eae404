import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { Deadline } from './deadline.ts'

/** Whoever asks has 200 ms; so much passes before and after it tells them. */
function askedBy({ beforeMs = 0, afterMs = 0 }) {
  let nowMs = 0
  const clock = { ...createFakeClock(), now: () => nowMs }
  const caller = new AbortController()
  const leftMs = () => {
    nowMs += beforeMs
    const told = 200 - nowMs
    nowMs += afterMs
    return told
  }
  const deadline = new Deadline(clock, leftMs, caller.signal)
  return {
    giveUpAt(ms: number) {
      nowMs = ms
      caller.abort()
      return deadline.signal.reason.code
    },
  }
}

test.each([
  ['did not stand still', {}],
  ['stood still before it was told', { beforeMs: 100 }],
  ['stood still after it was told', { afterMs: 100 }],
  ['stood still both times', { beforeMs: 60, afterMs: 60 }],
])('a caller whose time is up has not cancelled, if we %s', (_, stall) => {
  expect(askedBy(stall).giveUpAt(200)).toBe('timed-out')
})

test('a caller that gives up before its time has cancelled', () => {
  expect(askedBy({}).giveUpAt(190)).toBe('cancelled')
  expect(askedBy({ beforeMs: 50 }).giveUpAt(100)).toBe('cancelled')
})

import { expect, test } from 'vitest'
import {
  type Circuit,
  enter,
  mayPass,
  noteEnd,
  openFor,
  release,
} from './circuit.ts'
import { type Circuits, changedAt, circuitAt } from './circuits.ts'

const rules = { windowMs: 10_000, minCalls: 1, share: 1, openMs: 1_000 }
const closed: Circuit = { slots: [] }

const failed = (circuit: Circuit, holder: string, now: number) =>
  noteEnd(circuit, { holder, now, isFailure: true }, rules)

test('a call that tries and never comes back does not keep others out for ever', () => {
  const open = failed(closed, 'a', 0)
  const tried = enter(open, { holder: 'a', now: 1_000 })
  expect(mayPass(tried, { holder: 'b', now: 1_999 })).toBe(false)
  expect(mayPass(tried, { holder: 'b', now: 2_000 })).toBe(true)
})

test('a call that tries and is not made lets another one try', () => {
  const tried = enter(failed(closed, 'a', 0), { holder: 'a', now: 1_000 })
  const released = release(tried, 'a')
  expect(mayPass(released, { holder: 'b', now: 1_001 })).toBe(true)
  expect(release(tried, 'b')).toBe(tried)
})

test('what began before it opened neither closes it nor keeps it open', () => {
  const open = failed(closed, 'a', 0)
  const late = { holder: 'b', now: 500, isFailure: false }
  expect(noteEnd(open, late, rules)).toBe(open)
  expect(failed(open, 'b', 900)).toBe(open)
})

test('a clock that was put back does not keep it open', () => {
  const open = failed(closed, 'a', 1_000_000)
  expect(openFor(open, 1_000_500)).toBe(500)
  expect(openFor(open, 0)).toBe(0)
})

test('there are never too many, and names are only names', () => {
  let all: Circuits = {}
  const change = (one: Circuit) => failed(one, 'a', 0)
  for (let at = 0; at < 300; at++) all = changedAt(all, `model:${at}`, change)
  expect(Object.keys(all)).toHaveLength(200)
  expect(circuitAt(all, 'model:299')).toBeDefined()
  expect(circuitAt(all, 'constructor')).toBeUndefined()
})

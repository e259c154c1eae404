import { expect, test } from 'vitest'
import { AgentError } from '../ports/agent-error.ts'
import { createReceipts, type Receipt } from './receipts.ts'

function attempt(work: () => void): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof AgentError ? error.code : 'threw'
  }
}

function bench() {
  const alarms: string[] = []
  const receipts = createReceipts((about) => alarms.push(about))
  const redeem = (receipt: unknown, value: object) =>
    attempt(() => receipts.redeem(receipt as Receipt | undefined, value))
  return { alarms, receipts, redeem }
}

test('a receipt is accepted for the very value that it was minted for', () => {
  const { alarms, receipts, redeem } = bench()
  const value = { x: 1 }
  expect(redeem(receipts.mint(value), value)).toBe('accepted')
  expect(alarms).toEqual([])
})

test('T27 without a receipt nothing passes, and an alarm is raised', () => {
  const { alarms, redeem } = bench()
  expect(redeem(undefined, { x: 1 })).toBe('no-receipt')
  expect(redeem(null, { x: 1 })).toBe('no-receipt')
  expect(alarms).toHaveLength(2)
})

test('T27 a receipt is good for once', () => {
  const { alarms, receipts, redeem } = bench()
  const value = { x: 1 }
  const receipt = receipts.mint(value)
  expect(redeem(receipt, value)).toBe('accepted')
  expect(redeem(receipt, value)).toBe('no-receipt')
  expect(alarms).toHaveLength(1)
})

test('T27 a receipt for an equal value is none for this one', () => {
  const { receipts, redeem } = bench()
  expect(redeem(receipts.mint({ x: 1 }), { x: 1 })).toBe('no-receipt')
})

test('T27 a receipt that was tried on another value is used up', () => {
  const { receipts, redeem } = bench()
  const value = { x: 1 }
  const receipt = receipts.mint(value)
  redeem(receipt, { x: 99 })
  expect(redeem(receipt, value)).toBe('no-receipt')
})

test('T27 a receipt of another runtime is none here', () => {
  const value = { x: 1 }
  const foreign = bench().receipts.mint(value)
  expect(bench().redeem(foreign, value)).toBe('no-receipt')
})

test('T27 what only looks like a receipt is none', () => {
  const { receipts, redeem } = bench()
  const value = { x: 1 }
  const real = receipts.mint(value)
  const fakes = [
    Object.assign({}, real),
    structuredClone(Object.assign({}, real)),
    Object.create(real),
    new Proxy(real, {}),
    { '~receipt': true },
    'receipt',
    true,
  ]
  expect(fakes.map((fake: unknown) => redeem(fake, value))).toEqual(
    fakes.map(() => 'no-receipt'),
  )
  expect(redeem(real, value)).toBe('accepted')
})

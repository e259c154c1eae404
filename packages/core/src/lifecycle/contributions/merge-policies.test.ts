import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Contributed } from '../../engine/index.ts'
import { mergePolicies } from './merge-policies.ts'
import type { Policy } from './policy.ts'

function by(hook: string, value: Partial<Policy>): Contributed<Policy> {
  const rule = { domain: 'memory', key: 'write', value: null, ...value }
  return { by: hook, kind: 'policy', value: rule }
}

function held(...given: readonly Contributed<Policy>[]) {
  return mergePolicies(given).policies.map(({ hook, value }) => [hook, value])
}

test('the heavier of two rules about one key holds, wherever it stands', () => {
  const light = by('light', { value: 'a', weight: 1 })
  const heavy = by('heavy', { value: 'b', weight: 2 })
  expect(held(light, heavy)).toEqual([['heavy', 'b']])
  expect(held(heavy, light)).toEqual([['heavy', 'b']])
  expect(mergePolicies([light, heavy]).diagnostics).toEqual([])
})

test('a rule without a weight weighs nothing', () => {
  expect(
    held(by('a', { value: 1 }), by('b', { value: 2, weight: -1 })),
  ).toEqual([['a', 1]])
  expect(
    mergePolicies([by('a', { value: 1 }), by('b', { value: 2, weight: 0 })])
      .diagnostics,
  ).toHaveLength(1)
})

test('equals that say the same agree, whatever the order of their keys', () => {
  const merged = mergePolicies([
    by('a', { value: { x: [1, { y: null }], z: true } }),
    by('b', { value: { z: true, x: [1, { y: null }] } }),
  ])
  expect(merged.policies.map(({ hook }) => hook)).toEqual(['a'])
  expect(merged.diagnostics).toEqual([])
})

test.each([
  [
    [1, 2],
    [2, 1],
  ],
  [[], {}],
  [['a'], { 0: 'a' }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: null }, {}],
  [0, '0'],
  [null, {}],
])('%j and %j disagree', (one, other) => {
  const given = [by('a', { value: one }), by('b', { value: other })]
  expect(mergePolicies(given).diagnostics).toHaveLength(1)
})

test('of equals that disagree the first holds, and each other one is told', () => {
  const merged = mergePolicies([
    by('a', { value: 1 }),
    by('b', { value: 2 }),
    by('c', { value: 1 }),
    by('d', { value: 3 }),
  ])
  expect(merged.policies.map(({ hook }) => hook)).toEqual(['a'])
  expect(merged.diagnostics.map(({ code, hook }) => [code, hook])).toEqual([
    ['policy.conflict', 'b'],
    ['policy.conflict', 'd'],
  ])
  expect(merged.diagnostics[0]?.message).toBe(
    'Hooks "a" and "b" disagree about policy memory/write with equal weight; "a" comes first and holds.',
  )
})

test('a quarrel that a heavier rule ends is none', () => {
  const merged = mergePolicies([
    by('a', { value: 1 }),
    by('b', { value: 2 }),
    by('c', { value: 3, weight: 1 }),
  ])
  expect(merged.policies.map(({ hook }) => hook)).toEqual(['c'])
  expect(merged.diagnostics).toEqual([])
})

test('domains and keys are kept apart', () => {
  const merged = mergePolicies([
    by('a', { domain: 'x', key: 'y/z' }),
    by('b', { domain: 'x/y', key: 'z' }),
  ])
  expect(merged.policies).toHaveLength(2)
})

test('one rule holds for each key, of the greatest weight, and no message holds a value', () => {
  const rule = fc.record({
    hook: fc.constantFrom('one', 'two', 'three'),
    key: fc.constantFrom('read', 'write'),
    weight: fc.integer({ min: -1, max: 1 }),
    value: fc.integer({ min: 0, max: 2 }).map((n) => `secret-${n}`),
  })
  fc.assert(
    fc.property(fc.array(rule), (rules) => {
      const merged = mergePolicies(
        rules.map(({ hook, ...value }) => by(hook, value)),
      )
      const keys = new Set(rules.map(({ key }) => key))
      expect(merged.policies.map(({ key }) => key)).toEqual([...keys])
      for (const { key, weight } of merged.policies) {
        const weights = rules.filter((one) => one.key === key)
        expect(weight).toBe(Math.max(...weights.map((one) => one.weight)))
      }
      expect(JSON.stringify(merged.diagnostics)).not.toContain('secret')
    }),
  )
})

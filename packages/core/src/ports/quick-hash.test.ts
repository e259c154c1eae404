import { expect, test } from 'vitest'
import { quickHash } from './quick-hash.ts'

test('a digest is 16 hexadecimal digits, whatever the value', () => {
  const values = [undefined, null, '', 0, false, [], {}, 'x'.repeat(100_000)]
  for (const value of values) {
    expect(quickHash(value)).toMatch(/^[0-9a-f]{16}$/)
  }
})

test('equal data has equal digests', () => {
  const make = () => ({ tool: 'bash', args: { list: [1, 'é😀', null] } })
  expect(quickHash(make())).toBe(quickHash(make()))
})

test('digests are the same in every version, for records outlive one', () => {
  expect(quickHash(undefined)).toBe('811c9dc5cbf29ce4')
  expect(quickHash('a')).toBe('61a1cfeaf6e7f39a')
  expect(quickHash({ tool: 'bash', args: [1, null, 'é😀'] })).toBe(
    '37ac8d34088f5f29',
  )
})

test('different data has different digests', () => {
  const values = [
    undefined,
    null,
    '',
    'null',
    0,
    '0',
    false,
    [],
    [[]],
    {},
    [null],
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { b: 1 },
    'ab',
    'ba',
    'é',
    'e\u0301',
    '\u0101',
    '\u0001',
  ]
  expect(new Set(values.map(quickHash)).size).toBe(values.length)
})

test('200 000 values that differ by one number have as many digests', () => {
  const digests = new Set<string>()
  for (let at = 0; at < 200_000; at++) {
    digests.add(quickHash({ call: `call-${at}`, tool: 'bash' }))
  }
  expect(digests.size).toBe(200_000)
})

test('each half of a digest tells values apart', () => {
  const digests = Array.from({ length: 1_000 }, (_, at) => quickHash(at))
  const halves = [
    digests.map((one) => one.slice(0, 8)),
    digests.map((one) => one.slice(8)),
  ]
  for (const half of halves) expect(new Set(half).size).toBeGreaterThan(995)
})

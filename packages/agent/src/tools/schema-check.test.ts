import type { CheckedArgs, JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { handMade } from './fixtures/tools.ts'
import { checkBySchema } from './schema-check.ts'

function problemOf(checked: CheckedArgs | PromiseLike<CheckedArgs>) {
  return 'problem' in checked ? checked.problem : undefined
}

const gives = (value: unknown) => checkBySchema(handMade(() => ({ value })))({})

test('the arguments are what the schema makes of them', () => {
  const check = checkBySchema(z.object({ n: z.number().default(5) }))
  const checked = check({ extra: true })
  expect(checked).toEqual({ args: { n: 5 } })
})

test('the arguments are a frozen copy', () => {
  const value = { list: [1] }
  const checked = gives(value)
  value.list.push(2)
  expect(checked).toEqual({ args: { list: [1] } })
  expect('args' in checked && Object.isFrozen(checked.args['list'])).toBe(true)
})

test('a schema may take its time', async () => {
  const slow = z.object({ n: z.number().refine(async (n) => n > 1, 'too few') })
  expect(await checkBySchema(slow)({ n: 2 })).toEqual({ args: { n: 2 } })
  expect(await checkBySchema(slow)({ n: 1 })).toEqual({ problem: 'n: too few' })
})

describe('a problem', () => {
  test('has one line for each issue, with its path', () => {
    const check = checkBySchema(
      z.object({ a: z.string(), list: z.array(z.object({ b: z.number() })) }),
    )
    expect(problemOf(check({ list: [{ b: 1 }, { b: 'x' }] }))).toBe(
      'a: Invalid input: expected string, received undefined\n' +
        'list.1.b: Invalid input: expected number, received string',
    )
  })

  test('reads paths of segments, and of none', () => {
    const issues = [
      { message: 'one', path: [{ key: 'a' }, { key: 0 }] },
      { message: 'two' },
      { message: 'three', path: [Symbol('s')] },
    ]
    expect(checkBySchema(handMade(() => ({ issues })))({})).toEqual({
      problem: 'a.0: one\narguments: two\nSymbol(s): three',
    })
  })

  test('names ten issues and counts the rest', () => {
    const issues = Array.from({ length: 14 }, (_, i) => ({
      message: `no ${i}`,
    }))
    const problem = problemOf(checkBySchema(handMade(() => ({ issues })))({}))
    expect(problem?.split('\n')).toHaveLength(11)
    expect(problem).toContain('no 9\nand 4 more')
  })

  test('stays short and on its line, whatever the keys and messages are', () => {
    const issues = [{ message: `a\nb\u0000${'x'.repeat(1e6)}`, path: ['k\nk'] }]
    const problem = problemOf(checkBySchema(handMade(() => ({ issues })))({}))
    expect(problem).toMatch(/^k k: a b x{100,200}…$/)
  })

  test('is one even if the schema names no issue', () => {
    const check = checkBySchema(handMade(() => ({ issues: [] })))
    expect(check({})).toEqual({ problem: 'arguments: are not valid' })
  })
})

describe('a schema that gives what is no JSON object is a problem', () => {
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  const unreadable = new Proxy({}, { ownKeys: () => [Symbol.iterator] })
  const throwing = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('no')
      },
    },
  )
  const accessor = {
    get a() {
      throw new Error('ran')
    },
  }
  test.each<[string, unknown, string]>([
    ['a date', { at: new Date(0) }, 'at: gives a value that is no JSON (Date)'],
    ['a map', { m: new Map() }, 'm: gives a value that is no JSON (Map)'],
    [
      'nothing',
      { a: undefined },
      'a: gives a value that is no JSON (undefined)',
    ],
    ['a hole', { a: new Array(3) }, 'a.0: gives a value that is no JSON'],
    [
      'not a number',
      { n: Number.NaN },
      'n: gives a value that is no JSON (NaN)',
    ],
    ['a bigint', { n: 1n }, 'n: gives a value that is no JSON (bigint)'],
    [
      'a function',
      { f: () => 1 },
      'f: gives a value that is no JSON (function)',
    ],
    ['an accessor', accessor, 'a: gives a value that is no JSON'],
    ['a proxy that throws', throwing, 'arguments: cannot be read'],
    ['a cycle', { a: cyclic }, 'is deeper than 64 levels'],
    ['a list', [1], 'arguments: gives a value that is no JSON object'],
    ['text', 'a', 'arguments: gives a value that is no JSON object'],
    ['no value', undefined, 'arguments: gives a value that is no JSON'],
    ['a prototype', JSON.parse('{"__proto__":{}}'), '__proto__: is a key'],
  ])('%s', (_, value, message) => {
    expect(problemOf(gives(value))).toContain(message)
  })

  test('what JSON does not see does not count', () => {
    const value = Object.defineProperty({ a: 1, [Symbol('s')]: 1 }, 'hidden', {
      value: 2,
    })
    expect(gives(value)).toEqual({ args: { a: 1 } })
    expect(gives(unreadable)).toEqual({ args: {} })
  })
})

test('a huge value is copied whole', () => {
  const value: JsonObject = { list: Array.from({ length: 1e5 }, (_, i) => i) }
  expect(gives(value)).toEqual({ args: value })
})

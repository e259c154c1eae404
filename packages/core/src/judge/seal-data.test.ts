import { describe, expect, test } from 'vitest'
import { freezeDeep, isPlain } from '../engine/index.ts'
import { sealData } from './seal-data.ts'

const limits = { depth: 64, keys: 10_000, chars: 1_048_576 }

const check = (value: unknown) => sealData(value, limits).problem

const seal = (value: unknown) => Object(sealData(value, limits)).value

function nest(levels: number, wrap = (value: unknown): unknown => ({ value })) {
  let value: unknown = 'leaf'
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const wide = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, null]))

class Instance {
  readonly field = 1
}

describe('what JSON can say is data', () => {
  const values: readonly [string, unknown][] = [
    ['null', null],
    ['booleans', [true, false]],
    ['text, empty too', ['', 'text', '\0', '\ud800']],
    ['numbers', [0, -1, 0.1, 2 ** 60, Number.MAX_VALUE, Number.MIN_VALUE]],
    ['F039 negative zero', -0],
    ['an empty object', {}],
    ['an empty array', []],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { a: 1 }),
    ],
    ['an absent property', { a: undefined }],
    ['the same part twice', Array.from({ length: 2 }, () => limits)],
    ['what is frozen already', Object.freeze({ a: Object.freeze([1]) })],
    [
      'F033 names of inherited members',
      { constructor: 1, toString: 2, hasOwnProperty: 3 },
    ],
    ['F033 names of digits', { 0: 'a', 4294967295: 'b' }],
  ]
  test.each(values)('%s', (_, value) => {
    expect(check(value)).toBeUndefined()
  })
})

describe('F035 what JSON cannot say is not data', () => {
  const sparse: unknown[] = [1]
  sparse[2] = 3
  const getter = {
    get biting(): never {
      throw new Error('read')
    },
  }
  const values: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['F039 no number', Number.NaN],
    ['F039 infinity', Number.POSITIVE_INFINITY],
    ['F039 negative infinity', Number.NEGATIVE_INFINITY],
    ['a bigint', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a set', new Set()],
    ['a regular expression', /x/],
    ['an error', new Error('x')],
    ['bytes', new Uint8Array(2)],
    ['a promise', Promise.resolve()],
    ['a boxed text', Object('text')],
    ['an instance of a class', new Instance()],
    ['an object that inherits', Object.create({ a: 1 })],
    ['an instance of a class of arrays', new (class extends Array {})()],
    ['an array with a hole', sparse],
    ['an array with undefined', [undefined]],
    ['an array with a property', Object.assign([1], { extra: 1 })],
    ['an array with a symbol', Object.assign([1], { [Symbol('s')]: 1 })],
    ['a key that is a symbol', { [Symbol('s')]: 1 }],
    ['a getter', getter],
    [
      'a getter that gives data',
      {
        get a() {
          return 1
        },
      },
    ],
    ['a setter', { set a(_: unknown) {} }],
    ['a toJSON', { toJSON: () => ({}) }],
    ['F033 a key named __proto__', JSON.parse('{"__proto__":{"admin":true}}')],
  ]
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const biting = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('keys')
      },
    },
  )
  const proxies: readonly [string, unknown][] = [
    ['a revoked proxy', revoked.proxy],
    ['a proxy that throws', biting],
    [
      'a proxy of an array with more keys',
      new Proxy([], { ownKeys: () => ['length', 'x'] }),
    ],
  ]
  test.each([...values, ...proxies])('%s', (_, value) => {
    expect(check(value)).toBe('not-data')
  })

  test.each([...values, ...proxies])('%s, however deep', (_, value) => {
    // As a property, undefined only means that it is absent.
    const part = value === undefined ? [value] : value
    expect(check({ a: [{ part }] })).toBe('not-data')
  })

  test('a getter is not called', () => {
    let calls = 0
    check({
      get a() {
        return ++calls
      },
    })
    expect(calls).toBe(0)
  })

  test('I8 F033 no prototype changes', () => {
    check(
      JSON.parse(
        '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
      ),
    )
    expect(Object(0).admin).toBeUndefined()
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })
})

describe('F036 depth', () => {
  test('64 levels are data, 65 are too deep', () => {
    expect(check(nest(64))).toBeUndefined()
    expect(check(nest(65))).toBe('too-deep')
    expect(check(nest(64, (value) => [value]))).toBeUndefined()
    expect(check(nest(65, (value) => [value]))).toBe('too-deep')
  })

  test('a leaf counts for nothing', () => {
    expect(sealData('leaf', { ...limits, depth: 0 }).problem).toBeUndefined()
    expect(sealData({}, { ...limits, depth: 0 }).problem).toBe('too-deep')
  })

  test('a hundred thousand levels are found at once', () => {
    expect(check(nest(100_000))).toBe('too-deep')
  })

  test.each([
    [
      'itself',
      (cycle: Record<string, unknown>) => {
        cycle['self'] = cycle
      },
    ],
    [
      'itself by way of an array',
      (cycle: Record<string, unknown>) => {
        cycle['list'] = [{ cycle }]
      },
    ],
  ])('what holds %s has no end', (_, close) => {
    const cycle: Record<string, unknown> = {}
    close(cycle)
    expect(check(cycle)).toBe('too-deep')
  })
})

describe('F037 size', () => {
  test('10 000 keys are data, one more is too large', () => {
    expect(check(wide(10_000))).toBeUndefined()
    expect(check(wide(10_001))).toBe('too-large')
  })

  test('keys count wherever they are', () => {
    const parts = Array.from({ length: 101 }, () => wide(100))
    expect(check(parts)).toBe('too-large')
    expect(check(Array(20_000).fill(0))).toBe('too-large')
  })

  test('1 MiB of text is data, one character more is too large', () => {
    expect(check('x'.repeat(1_048_576))).toBeUndefined()
    expect(check('x'.repeat(1_048_577))).toBe('too-large')
  })

  test('texts and names count together', () => {
    const half = 'x'.repeat(524_288)
    expect(check({ [half]: half })).toBeUndefined()
    expect(check({ [half]: half, a: 1 })).toBe('too-large')
    expect(check([half, half, 'x'])).toBe('too-large')
  })

  test('a part that is shared counts as often as it is there', () => {
    const text = 'x'.repeat(400_000)
    expect(check({ a: text, b: text })).toBeUndefined()
    expect(check({ a: text, b: text, c: text })).toBe('too-large')
  })

  test('a small value that unfolds without end is found at once', () => {
    let bomb: unknown = 'lol'
    for (let level = 0; level < 60; level++) bomb = [bomb, bomb]
    expect(check(bomb)).toBe('too-large')
    let empty: unknown = {}
    for (let level = 0; level < 60; level++) empty = { a: empty, b: empty }
    expect(check(empty)).toBe('too-large')
  })
})

describe('data that passed', () => {
  const made = () => ({ list: [{ deep: [1] }], text: 'x', none: null })

  test('is equal, and frozen throughout', () => {
    const value = seal(made())
    expect(value).toEqual(made())
    const { list } = value
    const parts = [value, list, list[0], list[0].deep]
    expect(parts.every(Object.isFrozen)).toBe(true)
  })

  test('is a copy: whoever kept the original changes only that', () => {
    const original = made()
    const value = seal(original)
    original.list[0]?.deep.push(2)
    original.text = 'changed'
    expect(value).toEqual(made())
  })

  test('is a copy also of what was frozen by others', () => {
    const inner = [1]
    const value = seal(Object.freeze({ inner }))
    inner.push(2)
    expect(value).toEqual({ inner: [1] })
  })

  test('leaves out what is absent, and has the usual prototypes', () => {
    const bare = Object.assign(Object.create(null), { a: 1, b: undefined })
    const value = seal({ bare })
    expect(Object.keys(value.bare)).toEqual(['a'])
    expect(Object.getPrototypeOf(value.bare)).toBe(Object.prototype)
  })

  test('keeps its keys in order', () => {
    expect(Object.keys(seal({ b: 1, a: 2, 1: 3 }))).toEqual(['1', 'b', 'a'])
  })

  test('T19 is read once, also behind a proxy', () => {
    let reads = 0
    const getOwnPropertyDescriptor = () => ({
      value: ['ls', 'rm'][reads++],
      enumerable: true,
      configurable: true,
    })
    const proxy = new Proxy({ command: '' }, { getOwnPropertyDescriptor })
    const value = seal(proxy)
    expect([value.command, value.command, reads]).toEqual(['ls', 'ls', 1])
  })
})

describe('freezing what a caller hands in', () => {
  test('goes through objects and arrays', () => {
    const value = freezeDeep({ a: [{ b: { c: [1] } }] })
    const parts = [value, value.a, value.a[0], value.a[0]?.b, value.a[0]?.b.c]
    expect(parts.every(Object.isFrozen)).toBe(true)
  })

  test('returns what it was given', () => {
    const value = { a: 1 }
    expect(freezeDeep(value)).toBe(value)
    for (const one of [null, undefined, 1, 'x', true, 1n]) {
      expect(freezeDeep(one)).toBe(one)
    }
  })

  test('ends where a value holds itself', () => {
    const cycle: Record<string, unknown> = { list: [] }
    cycle['self'] = cycle
    expect(Object.isFrozen(freezeDeep(cycle))).toBe(true)
  })

  test('leaves alone what has a class', () => {
    const instance = new Instance()
    const value = freezeDeep({ instance, date: new Date(0), run: () => 1 })
    expect(Object.isFrozen(value)).toBe(true)
    expect(Object.isFrozen(instance)).toBe(false)
  })

  test.each([
    ['objects', (value: unknown) => ({ value })],
    ['arrays', (value: unknown) => [value]],
  ])('does not overflow on 100 000 nested %s', (_, wrap) => {
    const value = nest(100_000, wrap)
    expect(Object.isFrozen(freezeDeep(value))).toBe(true)
    let inmost: unknown = value
    let levels = 0
    for (; typeof inmost === 'object'; levels++) {
      if (!Object.isFrozen(inmost)) break
      inmost = Object.values(Object(inmost))[0]
    }
    expect([levels, inmost]).toEqual([100_000, 'leaf'])
  })

  test('freezes a part that two others share', () => {
    const shared = { deep: [1] }
    freezeDeep({ a: { shared }, b: [shared] })
    expect(Object.isFrozen(shared.deep)).toBe(true)
  })
})

test('plain are arrays, and objects that inherit nothing of their own', () => {
  const plain = [{}, [], Object.create(null)]
  const others = [null, undefined, 1, 'x', () => 1, new Instance(), new Map()]
  const inherits = Object.create(Array.prototype)
  expect(plain.map(isPlain)).toEqual([true, true, true])
  expect([...others, inherits].some(isPlain)).toBe(false)
})

import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

/** A number as its 64 bits say, which is how appendix B of the RFC lists them. */
function fromBits(hex: string): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt(`0x${hex}`))
  return view.getFloat64(0)
}

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('the number %s of RFC 8785, appendix B, is written %s', (bits, text) => {
  expect(canonicalJson(fromBits(bits))).toBe(text)
})

test('the example of RFC 8785, section 3.2.2, is written as its section 3.2.3 says', () => {
  const example: unknown = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50,
                2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`)
  expect(canonicalJson(example)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('keys are in the order of their UTF-16 code units, as RFC 8785, section 3.2.3, lists them', () => {
  const example = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const written: unknown = JSON.parse(canonicalJson(example))
  const texts = [...canonicalJson(example).matchAll(/:"([^"]+)"/g)]
  expect(written).toEqual(example)
  expect(texts.map(([, text]) => text)).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('keys that look like numbers are ordered as text', () => {
  expect(canonicalJson({ 10: 'b', 9: 'c', 1: 'a' })).toBe(
    '{"1":"a","10":"b","9":"c"}',
  )
})

test('the order of keys makes no difference at any depth, that of lists does', () => {
  const one = canonicalJson({ b: [{ d: 1, c: 2 }], a: { f: 3, e: 4 } })
  const other = canonicalJson({ a: { e: 4, f: 3 }, b: [{ c: 2, d: 1 }] })
  expect(one).toBe('{"a":{"e":4,"f":3},"b":[{"c":2,"d":1}]}')
  expect(other).toBe(one)
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
})

test('texts are not normalised: two spellings of a letter are two texts', () => {
  expect(canonicalJson('\u00e9')).not.toBe(canonicalJson('e\u0301'))
})

test('control characters are escaped as RFC 8785 says, and nothing else is', () => {
  expect(canonicalJson('\b\t\n\f\r\u001f\u007f\u2028/<')).toBe(
    '"\\b\\t\\n\\f\\r\\u001f\u007f\u2028/<"',
  )
})

test('a property that is undefined is an absent one', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  expect(canonicalJson({ a: undefined })).toBe('{}')
})

test('empty lists, objects and texts differ from each other and from null', () => {
  const texts = [[], {}, '', null, 0, false].map((one) => canonicalJson(one))
  expect(texts).toEqual(['[]', '{}', '""', 'null', '0', 'false'])
})

test('a key named __proto__ is a key like any other', () => {
  const value: unknown = JSON.parse('{"__proto__":{"x":1},"a":2}')
  expect(canonicalJson(value)).toBe('{"__proto__":{"x":1},"a":2}')
})

test('values of different types never have one text', () => {
  expect(canonicalJson({ x: '1' })).not.toBe(canonicalJson({ x: 1 }))
  expect(canonicalJson({ x: 'null' })).not.toBe(canonicalJson({ x: null }))
  expect(canonicalJson({ 'a":1,"b': 2 })).not.toBe(
    canonicalJson({ a: 1, b: 2 }),
  )
})

test('sha256 is that of the UTF-8 bytes, in hexadecimal', () => {
  expect(sha256('')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  expect(sha256('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(sha256('€')).toBe(
    'c4cc90ed3d26f12d4b08a75140970a7904035c31cbb4515a83f19b9003c00d1d',
  )
})

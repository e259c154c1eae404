import { expect, test } from 'vitest'
import type { JsonLimits, JsonProblemCode } from './json-limits.ts'
import { readStrictJson } from './strict-json.ts'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test.each<[string, unknown]>([
  ['{"a":[1,-2.5,1e5,1E-3,0,true,false,null,""]}', undefined],
  ['{"a":{"b":1},"c":{"b":1}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"b:c,{\\"a\\":1,\\"a\\":2}"}', undefined],
  ['{"a\\\\":1,"a":2}', undefined],
  ['{"toString":1,"0":2,"hasOwnProperty":3}', undefined],
  ['9007199254740991', undefined],
  ['-9007199254740991', undefined],
  ['12345678901234567890.5', undefined],
  ['1.7976931348623157e308', undefined],
  ['0.12345678901234567890123', undefined],
  ['"\\ud83d\\ude00 😀"', undefined],
  [' \t\r\n{} \n', undefined],
  ['\ufeff{"a":1}', { a: 1 }],
  [deep(64), undefined],
])('%s is read as the parser reads it', (text, value) => {
  const expected: unknown = value ?? JSON.parse(text)
  expect(readStrictJson(text)).toEqual({ value: expected })
  expect(readStrictJson(Buffer.from(text))).toEqual({ value: expected })
})

test.each<[JsonProblemCode, string]>([
  ['duplicate-key', '{"a":1,"a":1}'],
  ['duplicate-key', '{"a":1,"\\u0061":2}'],
  ['duplicate-key', '[{"b":{"c":1,"d":2,"c":3}}]'],
  ['duplicate-key', '{"":1,"":2}'],
  ['duplicate-key', '{"\\ud83d\\ude00":1,"😀":2}'],
  ['unsafe-key', '{"__proto__":{}}'],
  ['unsafe-key', '{"\\u005f_proto__":1}'],
  ['unsafe-key', '[[{"a":{"constructor":1}}]]'],
  ['unsafe-key', '{"prototype":null}'],
  ['unsafe-number', '1e999'],
  ['unsafe-number', '[-1e999]'],
  ['unsafe-number', '9007199254740992'],
  ['unsafe-number', '{"a":-9007199254740993}'],
  ['unsafe-number', '1'.repeat(400)],
  ['unsafe-number', '-0'],
  ['unsafe-number', '[-0.0]'],
  ['unsafe-number', '-0e5'],
  ['lone-surrogate', '"\\ud800"'],
  ['lone-surrogate', '"\\udc00\\ud800"'],
  ['lone-surrogate', '{"\\udfff":1}'],
  ['lone-surrogate', '"\ud800"'],
  ['too-deep', deep(65)],
  ['too-deep', '{"a":'.repeat(10_000)],
  ['not-json', ''],
  ['not-json', 'hello'],
  ['not-json', '{} {}'],
  ['not-json', '{}x'],
  ['not-json', '{"a":1,}'],
  ['not-json', '\ufeff\ufeff{}'],
  ['not-json', '{"a":"\n"}'],
  ['not-json', '"\\'],
  ['not-json', '"\\"'],
  ['not-json', '{"a":01}'],
  ['not-json', "{'a':1}"],
  ['not-json', '[1 /* */]'],
  ['not-json', '{"a":"b'],
])('it is %s: %s', (code, text) => {
  expect(readStrictJson(text).problem?.code).toBe(code)
})

test.each<[string, readonly number[]]>([
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['half a sequence', [0x22, 0xe2, 0x82, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0, 0x7d, 0]],
])('F040 %s is not UTF-8', (_name, bytes) => {
  const { problem } = readStrictJson(Uint8Array.from(bytes))
  expect(problem?.code).toBe('bad-encoding')
})

test('UTF-16 without its mark is not JSON', () => {
  const { problem } = readStrictJson(Buffer.from('{}', 'utf16le'))
  expect(problem?.code).toBe('not-json')
})

test.each<[JsonLimits, string, string]>([
  [{ maxBytes: 10 }, '"12345678"', '"123456789"'],
  [{ maxBytes: 10 }, '"ääää"', '"äääää"'],
  [{ maxDepth: 2 }, '[{}]', '[{"a":[]}]'],
  [{ maxKeys: 2 }, '[{"a":1},{"a":1}]', '[{"a":1},{"a":{"b":1}}]'],
  [{ maxItems: 3 }, '[1,2,[3]]', '[1,2,3,4,5]'],
  [{ maxTextLength: 3 }, '["abc"]', '["abcd"]'],
  [{ maxTextLength: 3 }, '{"abc":1}', '{"abcd":1}'],
])('within %j is %s, and %s is not', (limits, within, beyond) => {
  expect(readStrictJson(within, limits).problem).toBeUndefined()
  const code = readStrictJson(beyond, limits).problem?.code
  expect(code).toMatch(/^too-/)
  expect(readStrictJson(Buffer.from(beyond), limits).problem?.code).toBe(code)
})

test('F037 what is too large is not parsed', () => {
  const large = `[${'{"a":1},'.repeat(1_000_000)}1]`
  const parse = JSON.parse
  JSON.parse = () => {
    throw new Error('It was parsed.')
  }
  try {
    expect(readStrictJson(large).problem?.code).toBe('too-large')
  } finally {
    JSON.parse = parse
  }
})

test('no limit lets a text be deeper than the stack', () => {
  const limits = { maxDepth: 1_000_000 }
  expect(readStrictJson(deep(100_000), limits).problem?.code).toBe('too-deep')
})

test('a key that reaches a prototype changes none', () => {
  readStrictJson('{"__proto__":{"polluted":1}}')
  readStrictJson('{"constructor":{"prototype":{"polluted":1}}}')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('messages repeat nothing of the text', () => {
  const secret = 'hunter2hunter2'
  const texts = [secret, `{"${secret}":1,"${secret}":2}`, `{"a":"${secret}`]
  for (const text of texts) {
    expect(readStrictJson(text).problem?.message).not.toContain('hunter2')
  }
})

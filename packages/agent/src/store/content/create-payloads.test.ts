import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoreErrorCode } from '../store-error.ts'
import { createPayloads } from './create-payloads.ts'
import { type Place, plainPayloads } from './payloads.ts'

const key = (id: string) => ({ id, secret: randomBytes(32) })
const place: Place = ['journal', 'session-1', 7]
const oldKey = key('old')
const newKey = key('new')
const encrypted = createPayloads({ keys: [oldKey] })

function throwsCode(code: StoreErrorCode) {
  return expect.objectContaining({ name: 'StoreError', code })
}

test('without keys a payload is JSON', () => {
  expect(createPayloads()).toBe(plainPayloads)
  expect(plainPayloads.write({ a: 'ü' }, place)).toBe('{"a":"ü"}')
  expect(plainPayloads.wordForms('word')).toEqual(['word'])
})

test.each([
  ['plain', plainPayloads],
  ['encrypted', encrypted],
])('what is read from %s payloads is what was written', (_, payloads) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = payloads.write(value, place)
      // A negative zero is no value of JSON.
      const expected: unknown = JSON.parse(JSON.stringify(value))
      expect(payloads.read(text, place)).toEqual(expected)
    }),
  )
})

test('with a key nothing of the payload can be seen', () => {
  const text = encrypted.write({ canary: 'canary-value' }, place)
  const bytes = Buffer.from(text.split(':')[2] ?? '', 'base64')
  expect(text + bytes.toString('latin1')).not.toContain('canary')
  expect(encrypted.write('same', place)).not.toBe(
    encrypted.write('same', place),
  )
})

describe('a payload is refused', () => {
  const text = encrypted.write({ amount: 1 }, place)

  test.each<[string, Place]>([
    ['in another row', ['journal', 'session-1', 8]],
    ['in another table', ['calls', 'session-1', 7]],
    ['under a key that looks alike', ['journal', 'session-1', '7']],
    ['in a row whose key is cut elsewhere', ['journal', 'session', '-1', 7]],
  ])('%s', (_, elsewhere) => {
    const read = () => encrypted.read(text, elsewhere)
    expect(read).toThrow(throwsCode('wrong-key'))
  })

  test('if any bit of it was changed', () => {
    const [mark, id, body = ''] = text.split(':')
    const bytes = Buffer.from(body, 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const bad = `${mark}:${id}:${changed.toString('base64')}`
      expect(() => encrypted.read(bad, place)).toThrow(throwsCode('wrong-key'))
    }
  })

  test.each(['hk1:', 'hk1:old:', 'hk1:old:AAAA', 'hk1:old', 'hk1::'])(
    'if it is only %j',
    (bad) => {
      expect(() => encrypted.read(bad, place)).toThrow(throwsCode('wrong-key'))
    },
  )

  test('without the key, with another, or under a key’s wrong name', () => {
    const strangers = [
      plainPayloads,
      createPayloads({ keys: [newKey] }),
      createPayloads({ keys: [{ id: 'old', secret: newKey.secret }] }),
    ]
    for (const payloads of strangers) {
      const read = () => payloads.read(text, place)
      expect(read).toThrow(throwsCode('wrong-key'))
    }
  })

  test('if it is plain, unless that was allowed', () => {
    const plain = plainPayloads.write({ amount: 100 }, place)
    const read = () => encrypted.read(plain, place)
    expect(read).toThrow(throwsCode('wrong-key'))
    const lenient = createPayloads({ keys: [oldKey], readsPlain: true })
    expect(lenient.read(plain, place)).toEqual({ amount: 100 })
  })
})

describe('keys are rotated', () => {
  const rotated = createPayloads({ keys: [newKey, oldKey] })

  test('the newest writes, all of them read', () => {
    const before = encrypted.write('before', place)
    const after = rotated.write('after', place)
    expect(rotated.read(before, place)).toBe('before')
    expect(rotated.read(after, place)).toBe('after')
    expect(() => encrypted.read(after, place)).toThrow(throwsCode('wrong-key'))
  })

  test('words are found under the hashes of all keys', () => {
    const [before = ''] = encrypted.wordForms('word')
    expect(before).toMatch(/^[0-9a-f]{32}$/)
    expect(rotated.wordForms('word')[1]).toBe(before)
    expect(rotated.wordForms('words')).not.toContain(before)
  })
})

test.each([
  ['a key is too short', [{ id: 'a', secret: randomBytes(16) }]],
  ['a key is no base64 of 32 bytes', [{ id: 'a', secret: 'password' }]],
  ['an id has a colon', [{ id: 'a:b', secret: randomBytes(32) }]],
  ['two ids are the same', [key('a'), key('a')]],
])('it is an error if %s', (_, keys) => {
  expect(() => createPayloads({ keys })).toThrow(throwsCode('invalid-options'))
})

test('a key can be given in base64', () => {
  const secret = Buffer.from(oldKey.secret).toString('base64')
  const payloads = createPayloads({ keys: [{ id: 'old', secret }] })
  expect(payloads.read(encrypted.write(1, place), place)).toBe(1)
})

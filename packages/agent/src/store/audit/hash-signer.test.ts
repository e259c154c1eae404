import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHashSigner } from './hash-signer.ts'

const hexes = fc.stringMatching(/^[0-9a-f]{64}$/)

test('a signature is the HMAC of the hash, whatever the length of the key', () => {
  const keys = fc.uint8Array({ minLength: 0, maxLength: 200 })
  fc.assert(
    fc.property(keys, fc.array(hexes, { maxLength: 3 }), (key, hashes) => {
      const sign = createHashSigner(key)
      for (const one of hashes) {
        const expected = createHmac('sha256', key).update(one).digest('hex')
        expect(sign(one)).toBe(expected)
      }
    }),
  )
})

test('what is no hash has no signature', () => {
  const sign = createHashSigner(Buffer.from('key'))
  expect([sign(''), sign('a'), sign('a'.repeat(65))]).toEqual(['', '', ''])
})

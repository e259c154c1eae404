import type { NetworkAccess } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { intersectNetworks, readNetwork } from './network.ts'

test.each<[string[], string[], NetworkAccess]>([
  [['*.example.com'], ['api.example.com'], { hosts: ['api.example.com'] }],
  [['*.example.com'], ['a.b.example.com'], { hosts: ['a.b.example.com'] }],
  [['*.example.com'], ['*.b.example.com'], { hosts: ['*.b.example.com'] }],
  [['*.example.com'], ['example.com'], 'none'],
  [['*.example.com'], ['evilexample.com'], 'none'],
  [['*.example.com'], ['example.com.evil.org'], 'none'],
  [['*'], ['localhost'], { hosts: ['localhost'] }],
  [['a.org', 'b.org'], ['b.org', 'c.org'], { hosts: ['b.org'] }],
  [['EXAMPLE.com.'], ['example.COM'], { hosts: ['example.com'] }],
])('the hosts %j and %j have %j in common', (one, other, common) => {
  const networks = [readNetwork({ hosts: one }), readNetwork({ hosts: other })]
  const [first = 'all', second = 'all'] = networks
  expect(intersectNetworks(first, second)).toEqual(common)
  expect(intersectNetworks(second, first)).toEqual(common)
})

test.each<[NetworkAccess, NetworkAccess, NetworkAccess]>([
  ['none', 'all', 'none'],
  ['all', 'all', 'all'],
  ['all', { hosts: ['a.org'] }, { hosts: ['a.org'] }],
  ['none', { hosts: ['a.org'] }, 'none'],
])('%j and %j have %j in common', (one, other, common) => {
  expect(intersectNetworks(one, other)).toEqual(common)
  expect(intersectNetworks(other, one)).toEqual(common)
})

test('a list of no hosts is no network', () => {
  expect(readNetwork({ hosts: [] })).toBe('none')
})

test('a host that a wildcard covers is left out', () => {
  const hosts = ['api.example.com', '*.example.com', 'example.com']
  expect(readNetwork({ hosts })).toEqual({
    hosts: ['*.example.com', 'example.com'],
  })
})

test.each([
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'api.*',
  'a*.example.com',
  '*.*.com',
  '.example.com',
  'a..b',
  '',
  'a b',
  'a\nb',
  '*.',
  'a'.repeat(254),
  7,
])('%j is no host', (host) => {
  expect(readNetwork({ hosts: [host] })).toBeUndefined()
})

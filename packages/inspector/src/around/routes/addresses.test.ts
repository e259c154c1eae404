import { expect, test } from 'vitest'
import { addresses, hrefOf, placeAt } from './addresses.ts'

test('an address leads to its view, with all that it names', () => {
  expect(placeAt('/sessions/s%2F1/turns/t1', '?run=r1&other=x')).toEqual({
    view: 'turn',
    params: { sessionId: 's/1', turnId: 't1', run: 'r1' },
  })
  expect(placeAt('/')).toEqual({ view: 'live', params: {} })
  expect(placeAt('/approvals')).toEqual({ view: 'approvals', params: {} })
})

test.each([
  '/nowhere',
  '/sessions/',
  '/sessions/a/b',
  '/sessions/%ff',
  '/Sessions',
])('nothing is at %s', (path) => {
  expect(placeAt(path)).toBeUndefined()
})

test('an address is written as it is read, whatever is in it', () => {
  const search = 'a b&c=d#e?f/ü'
  expect(hrefOf('sessions', { search, agent: undefined })).toBe(
    '/sessions?search=a+b%26c%3Dd%23e%3Ff%2F%C3%BC',
  )
  const href = new URL(hrefOf('sessions', { search }), 'http://localhost')
  expect(placeAt(href.pathname, href.search)).toEqual({
    view: 'sessions',
    params: { search },
  })
  expect(hrefOf('session', { sessionId: '../x' })).toBe('/sessions/..%2Fx')
})

test('every view has an address of its own', () => {
  const patterns = Object.values(addresses).map(({ pattern }) => pattern)
  expect(new Set(patterns).size).toBe(patterns.length)
})

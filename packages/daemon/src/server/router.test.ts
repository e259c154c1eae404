import { expect, test } from 'vitest'
import { type Route, routes } from '../protocol/routes.ts'
import { prepareOperations } from './prepared-operation.ts'
import { Router } from './router.ts'

const router = new Router(prepareOperations())
const find = (method: string, path: string) =>
  router.find(method, path.slice(1).split('/'))

test.each(Object.entries<Route>(routes))(
  '%s is found by its path',
  (name, { method, path }) => {
    const inputs = path.split('/').filter((part) => part.startsWith(':'))
    const { match } = find(method, path)
    expect(match?.operation.name).toBe(name)
    expect(match?.values).toEqual(inputs)
  },
)

test('an input may be what another path spells out', () => {
  expect(find('DELETE', '/v1/memories/search').match).toMatchObject({
    operation: { name: 'forgetMemory' },
    values: ['search'],
  })
  expect(find('GET', '/v1/memories/search').match?.operation.name).toBe(
    'searchMemories',
  )
  expect(find('POST', '/v1/memories/search').methods).toEqual(['GET', 'DELETE'])
})

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v1/sessions/',
  '/v1/sessions//turns',
  '/v1/nothing',
  '/v1/sessions/a/b/c/d',
  '/v1/__proto__',
])('%s is nowhere', (path) => {
  expect(find('GET', path)).toEqual({ match: undefined, methods: [] })
})

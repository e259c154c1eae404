import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../protocol/caller.ts'
import type { Right } from '../protocol/routes.ts'
import { AllowedReaders } from './allowed-readers.ts'
import { prepareOperations } from './prepared-operation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const operations = prepareOperations()
const operationOf = (name: string) => {
  const found = operations.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}
const watchAll = operationOf('watchAll')
const shutdown = operationOf('shutdown')

function requestWith(token: string): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers.authorization = `Bearer ${token}`
  return request
}

function makeReaders(started: readonly Right[] = ['run', 'admin']) {
  const known = new Set(['one', 'two'])
  const rights = new Set<Right>(started)
  const looks: string[] = []
  const callerOf = (token: string): Caller | undefined => {
    looks.push(token)
    if (!known.has(token)) return undefined
    return { kind: 'user', id: token, rights: new Set(rights) }
  }
  const tokens = { callerOf, callerByHash: callerOf }
  const allowed = new AllowedReaders(tokens)
  const whyNot = (token: string, operation = watchAll) => {
    const caller = {
      kind: 'user',
      id: token,
      rights: new Set(started),
    } as const
    return allowed.whyNot({ request: requestWith(token), operation, caller })
  }
  return { whyNot, known, rights, looks }
}

test('the token of a thousand streams is looked at once for all of them', () => {
  const { whyNot, looks } = makeReaders()
  for (let at = 0; at < 1_000; at++) expect(whyNot('one')).toBeUndefined()
  expect(whyNot('two')).toBeUndefined()
  expect(whyNot('three')).toBe('no-token')
  expect(whyNot('three')).toBe('no-token')
  expect(looks).toEqual(['one', 'two', 'three'])
})

test('whoever may have one thing may not have all for that', () => {
  const { whyNot } = makeReaders(['run'])
  expect(whyNot('one')).toBeUndefined()
  expect(whyNot('one', shutdown)).toBe('no-token')
})

test('who is no longer let in is found out after a moment', () => {
  const { whyNot, known } = makeReaders()
  expect(whyNot('one')).toBeUndefined()
  known.delete('one')
  vi.advanceTimersByTime(100)
  expect(whyNot('one')).toBe('no-token')
})

test.each([
  ['less', ['run']],
  ['more', ['run', 'admin', 'approve']],
  ['something else', ['run', 'approve']],
] as const)('so is who has been given %s', (_, now) => {
  const { whyNot, rights } = makeReaders()
  expect(whyNot('one')).toBeUndefined()
  rights.clear()
  for (const right of now) rights.add(right)
  vi.advanceTimersByTime(100)
  expect(whyNot('one')).toBe('rights-changed')
})

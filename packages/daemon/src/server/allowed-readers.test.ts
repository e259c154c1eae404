import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../protocol/caller.ts'
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

function makeReaders() {
  const known = new Set(['one', 'two'])
  const looks: string[] = []
  const callerOf = (token: string): Caller | undefined => {
    looks.push(token)
    if (!known.has(token)) return undefined
    return { kind: 'user', id: token, rights: new Set(['run']) }
  }
  const tokens = { callerOf, callerByHash: callerOf }
  return { readers: new AllowedReaders(tokens), known, looks }
}

test('the token of a thousand streams is looked at once for all of them', () => {
  const { readers, looks } = makeReaders()
  for (let at = 0; at < 1_000; at++) {
    expect(readers.has(requestWith('one'), watchAll)).toBe(true)
  }
  expect(readers.has(requestWith('two'), watchAll)).toBe(true)
  expect(readers.has(requestWith('three'), watchAll)).toBe(false)
  expect(looks).toEqual(['one', 'two', 'three'])
})

test('whoever may have one thing may not have all for that', () => {
  const { readers } = makeReaders()
  expect(readers.has(requestWith('one'), watchAll)).toBe(true)
  expect(readers.has(requestWith('one'), shutdown)).toBe(false)
})

test('who is no longer let in is found out after a moment', () => {
  const { readers, known } = makeReaders()
  const request = requestWith('one')
  expect(readers.has(request, watchAll)).toBe(true)
  known.delete('one')
  vi.advanceTimersByTime(100)
  expect(readers.has(request, watchAll)).toBe(false)
})

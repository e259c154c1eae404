import type { JsonObject, ToolResult } from 'hookline/lifecycle'
import { toolCall } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type ToolExecute } from './define-tool.ts'
import { handMade, noContext } from './fixtures/tools.ts'

const base = {
  name: 'read',
  description: 'Reads a file.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: () => 'done',
} as const

function outputOf(execute: ToolExecute<JsonObject>) {
  return defineTool({ ...base, execute }).dispatch(
    toolCall('read', { path: 'a' }),
    noContext,
  )
}

function thrownBy(define: () => unknown): unknown {
  try {
    define()
  } catch (error) {
    return error
  }
  return undefined
}

test('a tool is frozen throughout and has only what it was given', () => {
  const input = { type: 'object', properties: { path: { type: 'string' } } }
  const tool = defineTool({ ...base, input, timeoutMs: 10, idempotent: false })
  expect(tool).toEqual({
    name: 'read',
    description: 'Reads a file.',
    inputSchema: input,
    safety: 'read_only',
    idempotent: false,
    timeoutMs: 10,
    dispatch: tool.dispatch,
  })
  expect(Object.isFrozen(tool)).toBe(true)
  expect(Object.isFrozen(tool.inputSchema['properties'])).toBe(true)
  input.properties.path.type = 'number'
  expect(tool.inputSchema).toMatchObject({
    properties: { path: { type: 'string' } },
  })
})

describe('the schema that the model is shown', () => {
  test('is what the Standard Schema takes, not what it gives', () => {
    const input = z.object({ limit: z.number().default(5) })
    expect(defineTool({ ...base, input }).inputSchema).toMatchObject({
      type: 'object',
      properties: { limit: { type: 'number', default: 5 } },
    })
  })

  test('is the given one where there is one', () => {
    const jsonSchema = { type: 'object', title: 'given' }
    const tool = defineTool({ ...base, input: z.object({}), jsonSchema })
    expect(tool.inputSchema).toEqual(jsonSchema)
  })

  test('can come from a schema that is a function', () => {
    const input = Object.assign(
      () => {},
      handMade(() => ({ value: {} })),
    )
    const jsonSchema = { type: 'object' }
    const tool = defineTool({ ...base, input, jsonSchema })
    expect(tool.checkArgs).toBeTypeOf('function')
  })
})

describe('what execute returns', () => {
  test('text is one text block', () => {
    expect(outputOf(() => 'hello')).toEqual({
      content: [{ type: 'text', text: 'hello' }],
      isError: false,
    })
  })

  test('nothing is empty text', () => {
    expect(outputOf(() => {})).toEqual({
      content: [{ type: 'text', text: '' }],
      isError: false,
    })
  })

  test.each([
    [0],
    [false],
    [null],
    [['a', 1]],
    [{ size: 3, isError: true }],
    [{ content: 'x', isError: false }],
  ])('%j is JSON text and data', (value) => {
    expect(outputOf(() => value)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      isError: false,
      data: value,
    })
  })

  test('programs are told just what the model is told', () => {
    const row: JsonObject = JSON.parse('{"at":0}')
    Object.assign(row, { at: new Date(0), gone: undefined })
    expect(outputOf(() => row)).toEqual({
      content: [{ type: 'text', text: '{"at":"1970-01-01T00:00:00.000Z"}' }],
      isError: false,
      data: { at: '1970-01-01T00:00:00.000Z' },
    })
  })

  test('a result is that result', () => {
    const result: ToolResult = { content: [], isError: true, error: 'timeout' }
    expect(outputOf(() => result)).toBe(result)
  })

  test('a promise is waited for, and nothing else is', async () => {
    const output = outputOf(async () => 'later')
    expect(output).toBeInstanceOf(Promise)
    expect(await output).toMatchObject({ content: [{ text: 'later' }] })
  })
})

test('execute gets the arguments of the call and its context', () => {
  let seen: unknown
  outputOf((...given) => {
    seen = given
  })
  expect(seen).toEqual([{ path: 'a' }, noContext])
})

test('what execute throws goes through', () => {
  const fail = () => {
    throw new Error('disk full')
  }
  expect(() => outputOf(fail)).toThrow('disk full')
})

test('a tool of the client is forwarded to it', async () => {
  const result: ToolResult = { content: [], isError: false }
  const tool = defineTool({ ...base, execute: 'client' })
  const context = { ...noContext, forward: async () => result }
  expect(await tool.dispatch(toolCall('read', {}), context)).toBe(result)
})

describe('a tool that cannot be called is refused', () => {
  test.each([
    ['a name with a dot', { name: 'fs.read' }, 'letters, digits, _ and -'],
    ['no name', { name: '' }, '1 to 64'],
    ['a long name', { name: 'a'.repeat(65) }, '1 to 64'],
    ['no description', { description: ' ' }, 'say what it does'],
    ['a timeout of no time', { timeoutMs: 0 }, 'above 0'],
    ['a list for input', { input: { type: 'array' } }, 'type "object"'],
    ['no type of input', { input: {} }, 'type "object"'],
    ['text for input', { input: z.string() }, 'type "object"'],
    ['two schemas', { jsonSchema: {} }, 'leave out "jsonSchema"'],
    ['a date', { input: z.object({ at: z.date() }) }, 'cannot be said as'],
  ])('%s', (_, part, message) => {
    const error = thrownBy(() => defineTool({ ...base, ...part }))
    expect(error).toMatchObject({ name: 'AgentError', code: 'invalid-tool' })
    expect(String(error)).toContain(message)
  })

  test('a schema that cannot say its JSON Schema, and none beside it', () => {
    const input = handMade(() => ({ value: {} }))
    expect(() => defineTool({ ...base, input })).toThrow(
      'has a schema of "hand", which cannot say its JSON Schema; give one as "jsonSchema".',
    )
  })

  test('a safety class that there is not', () => {
    const unsafe = JSON.parse('{"safety":"harmless"}')
    expect(() => defineTool({ ...base, ...unsafe })).toThrow(
      'give it one of read_only, mutating, destructive, network',
    )
  })

  test('a schema that is no data', () => {
    const holder = JSON.parse('{"type":"object","default":0}')
    holder.default = new Map()
    expect(() => defineTool({ ...base, input: holder })).toThrow(
      'default: gives a value that is no JSON (Map)',
    )
  })
})

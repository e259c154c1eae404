import type { BoundTool, CheckedArgs, JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createArgsChecker } from './args-checker.ts'
import { defineTool } from './define-tool.ts'
import { handMade, jsonTool } from './fixtures/tools.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['text', 'binary'] },
    limit: { type: 'integer', minimum: 1 },
  },
  required: ['path'],
  additionalProperties: false,
}

async function problemOf(input: JsonObject, args: JsonObject) {
  const { problem } = await createArgsChecker()(jsonTool(input), args)
  return problem
}

function toolWith(checkArgs: unknown): BoundTool {
  // The shape is what the test is about: a tool need not come from us.
  return { ...jsonTool(schema), checkArgs } as BoundTool
}

test('after the first call the answer comes at once', async () => {
  const check = createArgsChecker()
  const tool = jsonTool(schema)
  const args = { path: 'a' }
  expect(check(tool, args)).toBeInstanceOf(Promise)
  expect(await check(tool, args)).toEqual({ args })
  expect(check(tool, args)).toEqual({ args })
  expect(check(jsonTool(schema), args)).toEqual({ args })
})

test('a prepared tool is checked at once, the first time too', async () => {
  const check = createArgsChecker()
  const tool = jsonTool(schema)
  await check.prepare([tool, defineZodTool()])
  expect(check(tool, { path: 'a' })).toEqual({ args: { path: 'a' } })
})

test('tools with a check of their own need no JSON Schema', () => {
  const check = createArgsChecker()
  expect(check(defineZodTool(), {})).toEqual({ args: { n: 5 } })
  expect(check(defineZodTool(), { n: 'x' })).toEqual({
    problem: 'n: Invalid input: expected number, received string',
  })
})

describe('by JSON Schema', () => {
  test('every issue is named, with what was expected', async () => {
    const args = { mode: 'hex', limit: 0.5, 'a/b': 1 }
    expect(await problemOf(schema, args)).toBe(
      [
        "arguments: must have required property 'path'",
        'arguments: must NOT have additional properties: "a/b"',
        'mode: must be equal to one of the allowed values: ["text","binary"]',
        'limit: must be integer',
        'limit: must be >= 1',
      ].join('\n'),
    )
  })

  test('paths are those of the arguments', async () => {
    const entry = { type: 'object', properties: { 'a/b~c': { type: 'null' } } }
    const input = {
      type: 'object',
      properties: { list: { type: 'array', items: entry } },
    }
    const args = { list: [{}, { 'a/b~c': 1 }] }
    expect(await problemOf(input, args)).toBe('list.1.a/b~c: must be null')
  })

  test('nothing is changed to fit', async () => {
    expect(await problemOf(schema, { path: 1 })).toBe('path: must be string')
    const withDefault = { type: 'object', properties: { a: { default: 1 } } }
    const args = {}
    await createArgsChecker()(jsonTool(withDefault), args)
    expect(args).toEqual({})
  })

  test('formats are not checked', async () => {
    const input = {
      type: 'object',
      properties: { at: { type: 'string', format: 'no-such-format' } },
    }
    expect(await problemOf(input, { at: 'x' })).toBeUndefined()
  })

  test('schemas of two tools with one id do not meet', async () => {
    const check = createArgsChecker()
    const one = { $id: 'https://x.example/s', type: 'object', required: ['a'] }
    const two = { $id: 'https://x.example/s', type: 'object', required: ['b'] }
    const other = {
      type: 'object',
      properties: { a: { $ref: 'https://x.example/s' } },
    }
    expect(await check(jsonTool(one), { a: 1 })).toEqual({ args: { a: 1 } })
    expect(await check(jsonTool(two), { b: 1 })).toEqual({ args: { b: 1 } })
    expect(await check(jsonTool(other), {})).toHaveProperty('problem')
  })

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2020-12/schema',
  ])('a schema may say that it is %s', async ($schema) => {
    expect(await problemOf({ ...schema, $schema }, { path: 'a' })).toBe(
      undefined,
    )
  })
})

describe('a schema that does not compile denies every call', () => {
  test.each<[string, JsonObject, string]>([
    ['an unknown type', { properties: { a: { type: 'strng' } } }, 'type'],
    [
      'properties that are none',
      { properties: 5 },
      'properties must be object',
    ],
    ['a remote reference', { $ref: 'https://x.example/s' }, "can't resolve"],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, 'regular'],
    ['a dialect of its own', { $schema: 'urn:mine' }, '"$schema" is none of'],
    [
      'a keyword of a later draft',
      { unevaluatedProperties: false },
      'supported',
    ],
    ['a promise for an answer', { $async: true }, '"$async" is not supported'],
  ])('%s', async (_, part, message) => {
    expect(await problemOf({ type: 'object', ...part }, { a: 1 })).toContain(
      message,
    )
  })

  test('a keyword that is the name of a property is none', async () => {
    const input = {
      type: 'object',
      properties: { prefixItems: { type: 'string' } },
      default: { minContains: 1 },
    }
    expect(await problemOf(input, { prefixItems: 'a' })).toBeUndefined()
  })

  test('the problem says whose fault it is', async () => {
    expect(await problemOf({ type: 'object', properties: 5 }, {})).toContain(
      'cannot be checked, as the schema of the tool is not valid',
    )
  })
})

describe('hostile arguments', () => {
  test('what is inherited is no argument', async () => {
    const input = { type: 'object', required: ['toString', 'constructor'] }
    expect(await problemOf(input, {})).toContain("property 'constructor'")
  })

  test('a key named __proto__ is a key like others', async () => {
    const args = JSON.parse('{"path":"a","__proto__":{"limit":1}}')
    expect(await problemOf(schema, args)).toContain('"__proto__"')
  })

  test('arguments deeper than the stack are a problem', async () => {
    const input = { type: 'object', properties: { a: { $ref: '#' } } }
    let args: JsonObject = {}
    for (let depth = 0; depth < 1e5; depth++) args = { a: args }
    expect(await problemOf(input, args)).toContain('the check of "json" failed')
  })

  test('a problem stays short, however much is wrong', async () => {
    const input = { type: 'object', additionalProperties: { type: 'string' } }
    const keys = Array.from({ length: 1e4 }, (_, i) => `k${i}`.repeat(100))
    const args = Object.fromEntries(keys.map((key) => [key, 1]))
    const problem = await problemOf(input, args)
    expect(problem?.length).toBeLessThan(2_500)
    expect(problem).toContain('and 9990 more')
  })
})

describe('a check of a tool is believed only when it answers', () => {
  const unclear = 'it gave neither arguments nor a problem'
  test.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, unclear],
    ['true', () => true, 'arguments: gives'],
    ['a promise of nothing', async () => null, unclear],
    ['a problem that is no text', () => ({ problem: 1, args: {} }), unclear],
    ['null for arguments', () => ({ args: null }), 'no JSON object'],
    ['a list', () => ({ args: Object.freeze([]) }), 'no JSON object'],
    ['a date', () => ({ args: { at: new Date() } }), 'at: gives'],
  ])('%s', async (_, given, message) => {
    const { problem } = await createArgsChecker()(toolWith(given), {})
    expect(problem).toContain(message)
  })

  test('one that throws or rejects is a problem', async () => {
    const check = createArgsChecker()
    const fails = () => {
      throw new Error('broken')
    }
    const message = 'the check of "json" failed: broken'
    const { problem }: CheckedArgs = await check(toolWith(fails), {})
    expect(problem).toContain(message)
    const rejects = async () => fails()
    expect((await check(toolWith(rejects), {})).problem).toContain(message)
    const schemaThrows = defineTool({
      name: 'json',
      description: 'Throws.',
      input: handMade<object>(fails),
      jsonSchema: { type: 'object' },
      safety: 'read_only',
      execute: () => 'never',
    })
    expect((await check(schemaThrows, {})).problem).toContain(message)
  })
})

function defineZodTool() {
  return defineTool({
    name: 'zod',
    description: 'Counts.',
    input: z.object({ n: z.number().default(5) }),
    safety: 'read_only',
    execute: ({ n }) => n,
  })
}

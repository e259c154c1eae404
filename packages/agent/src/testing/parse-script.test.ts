import { describe, expect, test } from 'vitest'
import { parseScript, scriptedModel } from './index.ts'

test('a script can be YAML', async () => {
  const script = await parseScript(`
# The first call reads a file.
- reasoning: Hm.
  calls:
    - tool: read
      args: { path: a.txt, lines: [1, 2] }
- error: { code: rate_limited, retryAfterMs: 100 }
- text: |
    It says hello.
  chunks: 2
  afterMs: 5
  stopReason: max_tokens
  usage: { outputTokens: 3 }
`)
  expect(script).toEqual([
    {
      reasoning: 'Hm.',
      calls: [{ tool: 'read', args: { path: 'a.txt', lines: [1, 2] } }],
    },
    { error: { code: 'rate_limited', retryAfterMs: 100 } },
    {
      text: 'It says hello.\n',
      chunks: 2,
      afterMs: 5,
      stopReason: 'max_tokens',
      usage: { outputTokens: 3 },
    },
  ])
})

test('a script can be JSON, indented by tabs too', async () => {
  const script = [{ text: 'a' }, { calls: [{ tool: 'b', id: 'c' }] }]
  expect(await parseScript(JSON.stringify(script))).toEqual(script)
  expect(await parseScript(JSON.stringify(script, null, '\t'))).toEqual(script)
})

test('a script can give exact content', async () => {
  const content = [
    { type: 'reasoning', text: 'a', providerData: { signature: 'b' } },
    { type: 'text', text: 'c' },
    {
      type: 'image',
      mediaType: 'image/png',
      source: { type: 'base64', data: 'AA' },
    },
    {
      type: 'file',
      mediaType: 'text/csv',
      source: { type: 'url', url: 'https://x.example' },
      name: 'n',
    },
    {
      type: 'tool_call',
      id: 'd',
      tool: 'e',
      args: { f: null },
      providerExecuted: true,
    },
  ]
  const script = await parseScript(JSON.stringify([{ content }]))
  const { signal } = new AbortController()
  const request = { model: 'a', messages: [], tools: [], settings: {} }
  expect(await scriptedModel(script).generate(request, { signal })).toEqual({
    content,
    stopReason: 'tool_calls',
    usage: { inputTokens: 10, outputTokens: 5 },
  })
})

test('an empty list is a script of no steps', async () => {
  expect(await parseScript('[]')).toEqual([])
})

describe('an error names the step, the key, and what is known', () => {
  test.each([
    [
      '- text: a\n- txt: b',
      'Step 2 has an unknown key "txt"; known: text, rea',
    ],
    ['- waitFor: {}', 'Step 1 has an unknown key "waitFor"'],
    ['- text: 1', 'Step 1: "text" is not text.'],
    ['- text:', 'Step 1: "text" is not text.'],
    ['- hello', 'Step 1 is not an object.'],
    ['- [a]', 'Step 1 is not an object.'],
    ['-', 'Step 1 is not an object.'],
    ['- calls: read', 'Step 1: "calls" is not a list.'],
    ['- calls: [{ args: {} }]', 'Step 1: "calls[0]" has no "tool".'],
    [
      '- calls: [{ tool: a, arg: {} }]',
      'unknown key "arg"; known: tool, args, id',
    ],
    ['- calls: [{ tool: a, args: [] }]', '"calls[0].args" is not an object'],
    [
      '- calls: [{ tool: a, args: { n: .inf } }]',
      '"calls[0].args.n" is not JSON',
    ],
    [
      '- calls: [{ tool: a, args: { n: !!binary aGk= } }]',
      'args.n" is not JSON',
    ],
    ['- calls: [{ tool: a, args: { __proto__: {} } }]', 'is a key that is not'],
    ['- __proto__: {}', 'has an unknown key "__proto__"'],
    ['- stopReason: done', 'is none of end_turn, tool_calls, max_tokens'],
    [
      '- usage: { inputTokens: -1 }',
      '"usage.inputTokens" is not a whole number',
    ],
    ['- error: {}', 'Step 1: "error" has no "code".'],
    ['- error: { code: 429 }', '"error.code" is none of rate_limited'],
    ['- error: { code: timeout, isRetryable: 1 }', 'is neither true nor false'],
    ['- chunks: 0', 'Step 1 has "chunks" that are not a whole number from 1'],
    ['- afterMs: 1.5', '"afterMs" is not a whole number from 0 on'],
    ['- { text: a, content: [] }', 'has both "content" and "text"; keep one'],
    ['- content: [{ type: audio }]', '"content[0].type" is none of text'],
    ['- content: [{ type: toString }]', '"content[0].type" is none of text'],
    ['- content: [{ type: text }]', '"content[0]" has no "text"'],
    ['- content: [a]', '"content[0]" is not an object'],
    ['- content: [{ type: image, mediaType: a, source: {} }]', 'base64, url'],
  ])('%s', async (text, message) => {
    const parsed = parseScript(text)
    await expect(parsed).rejects.toMatchObject({ code: 'invalid-script' })
    await expect(parsed).rejects.toThrow(message)
  })
})

describe('a text that is no list of steps', () => {
  test.each([
    ['', 'The script is not a list; begin each step with "- ".'],
    ['text: a', 'is not a list'],
    ['- text: "a', 'The script cannot be read: Missing closing "quote'],
    ['- text: a\n  text: b', 'A key is there twice at line 2, column 3.'],
    [
      '[{"text": "a", "text": "b"}]',
      'A key is there twice at line 1, column 16',
    ],
    ['- &a { text: b }\n- *a', 'An alias at line 2, column 3'],
    ['- &a\n  text: b\n- <<: *a', 'An alias at line 3'],
    ['- !step { text: a }', 'Unresolved tag: !step at line 1, column 3.'],
    ['- text: a\n---\n- text: b', 'multiple documents'],
    ['- ? [a]\n  : b', 'all keys must be strings'],
  ])('%j is refused', async (text, message) => {
    const parsed = parseScript(text)
    await expect(parsed).rejects.toMatchObject({ code: 'invalid-script' })
    await expect(parsed).rejects.toThrow(message)
  })
})

describe('a script is bounded', () => {
  test.each([
    ['its size', '#'.repeat(1_048_577), 'is larger than 1048576 bytes'],
    ['its size in bytes', `#${'é'.repeat(600_000)}`, 'is larger than 1048576'],
    ['its steps', '- {}\n'.repeat(10_001), 'has more than 10000 steps'],
    ['its depth', `- calls: ${'['.repeat(50_000)}`, 'cannot be read'],
    ['deep arguments', deepArgs(100), 'is deeper than 64 levels'],
    ['deeper arguments', deepArgs(600), 'deeper than 64 levels'],
  ])('in %s', async (_, text, message) => {
    const parsed = parseScript(text)
    await expect(parsed).rejects.toMatchObject({ code: 'invalid-script' })
    await expect(parsed).rejects.toThrow(message)
  })

  test('a map of many keys is read in time', async () => {
    const keys = Array.from({ length: 50_000 }, (_, i) => `    k${i}: 1`)
    const text = `- usage:\n${keys.join('\n')}`
    await expect(parseScript(text)).rejects.toThrow('unknown key "k0"')
  })
})

function deepArgs(depth: number): string {
  const args = `${'{ a: '.repeat(depth)}{}${' }'.repeat(depth)}`
  return `- calls: [{ tool: b, args: ${args} }]`
}

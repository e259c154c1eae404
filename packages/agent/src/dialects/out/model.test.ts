import {
  compileTable,
  createEngine,
  defineHook,
  type Hook,
  proceed,
  reject,
  transform,
} from 'hookline'
import { llmPostCall, llmPreCall } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { answerAs } from './answer-as.ts'

/** What Gemini CLI is told about a call of its model. */
async function tell(hooks: readonly Hook[], event: string, told: object) {
  const stdinJson = JSON.stringify({ hook_event_name: event, ...told })
  const engine = createEngine(compileTable(hooks))
  const reply = await answerAs('gemini', { stdinJson }, { engine })
  return JSON.parse(reply.stdout || '{}')
}

/** Refuses, and keeps what it was shown. */
function gatesOf(seen: unknown[]): readonly Hook[] {
  return [
    defineHook({
      name: 'request',
      on: llmPreCall,
      run({ request }) {
        seen.push(request)
        return reject('No.')
      },
    }),
    defineHook({
      name: 'reply',
      on: llmPostCall,
      run({ response }) {
        seen.push(response)
        return reject('No.')
      },
    }),
  ]
}

const model = 'gemini-3'
const hi = { role: 'user', content: 'Hi.' }
const args = { command: 'ls' }
const functionCall = { name: 'run_shell_command', args, id: 'c1' }
const text = (said: string) => ({ type: 'text', text: said })
const call = { type: 'tool_call', id: 'c1', tool: 'shell', args }

describe('what a model is asked with reaches the gates', () => {
  test.each([
    [
      'with instructions',
      [{ role: 'system', content: 'Be kind.' }, hi],
      [
        { role: 'system', content: [text('Be kind.')] },
        { role: 'user', content: [text('Hi.')] },
      ],
    ],
    [
      'with a call and its result',
      [
        {
          role: 'model',
          content: ['So: ', { text: 'look.' }, { functionCall }],
        },
        {
          role: 'user',
          content: [
            {
              functionResponse: {
                id: 'c1',
                name: 'run_shell_command',
                response: { output: 'a.ts' },
              },
            },
          ],
        },
      ],
      [
        { role: 'assistant', content: [text('So: look.'), call] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              callId: 'c1',
              tool: 'shell',
              content: [text('{"output":"a.ts"}')],
              isError: false,
            },
          ],
        },
      ],
    ],
    [
      'with what we have no block for',
      [{ role: 'user', content: [{ executableCode: { code: 'rm' } }] }],
      [
        {
          role: 'user',
          content: [text('{"executableCode":{"code":"rm"}}')],
        },
      ],
    ],
    [
      'with two things in one',
      [
        {
          role: 'model',
          content: [{ text: 'Hi.', functionCall: { name: 'x' } }],
        },
      ],
      [
        {
          role: 'assistant',
          content: [text('{"text":"Hi.","functionCall":{"name":"x"}}')],
        },
      ],
    ],
    ['without messages', undefined, []],
  ])('%s', async (_, messages, expected) => {
    const seen: unknown[] = []
    const told = { llm_request: { model, messages } }
    const said = await tell(gatesOf(seen), 'BeforeModel', told)
    expect(said).toMatchObject({ decision: 'deny', reason: 'No.' })
    expect(seen).toMatchObject([{ model, messages: expected }])
  })

  test.each([
    ['no model', { messages: [hi] }],
    ['a role that nobody knows', { model, messages: [{ ...hi, role: 'x' }] }],
    ['a message of no text', { model, messages: [{ role: 'user' }] }],
    ['a message that is none', { model, messages: [hi, 7] }],
    ['messages that are none', { model, messages: 'Hi.' }],
  ])('and is refused with %s', async (_, llm_request) => {
    const seen: unknown[] = []
    const said = await tell(gatesOf(seen), 'BeforeModel', { llm_request })
    expect(said).toMatchObject({ decision: 'deny' })
    expect(said.reason).toContain('cannot be read')
    expect(seen).toEqual([])
    expect(await tell([], 'BeforeModel', { llm_request })).toEqual({})
  })

  test('and what a hook has not changed of it stays as it was', async () => {
    const other = defineHook({
      name: 'other',
      on: llmPreCall,
      writes: true,
      run: ({ request }) => transform({ ...request, model: 'other' }),
    })
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'model', content: [{ functionCall }] },
    ]
    const told = { llm_request: { model, messages } }
    const said = await tell([other], 'BeforeModel', told)
    expect(said.hookSpecificOutput.llm_request).toMatchObject({
      model: 'other',
      messages,
    })
  })
})

describe('what a model says reaches the gates', () => {
  const candidate = (...parts: readonly unknown[]) => [
    { content: { role: 'model', parts } },
  ]

  test.each([
    [
      'a call alone',
      { candidates: candidate({ functionCall }) },
      { content: [call], stopReason: 'tool_calls' },
    ],
    [
      'a call beside a text',
      { candidates: candidate('Look', 'ing.', { functionCall }) },
      { content: [text('Looking.'), call] },
    ],
    ['a text alone', { text: 'Yes.' }, { content: [text('Yes.')] }],
    [
      'the end alone',
      { candidates: [{ finishReason: 'STOP' }] },
      { content: [] },
    ],
    [
      'what it has cost',
      { candidates: [], usageMetadata: {} },
      { content: [] },
    ],
  ])('%s', async (_, llm_response, expected) => {
    const seen: unknown[] = []
    const told = { llm_request: { model, messages: [hi] }, llm_response }
    const said = await tell(gatesOf(seen), 'AfterModel', told)
    expect(said).toMatchObject({ decision: 'deny', reason: 'No.' })
    expect(seen).toMatchObject([expected])
  })

  test.each([
    ['no reply', undefined],
    ['a text that is none', { text: 7 }],
    ['candidates that are none', { candidates: 'x' }],
    ['a candidate that is none', { candidates: ['x'] }],
    ['a part that is none', { candidates: candidate(7) }],
    ['a call of nothing', { candidates: candidate({ functionCall: {} }) }],
    [
      'a call with arguments that are none',
      { candidates: candidate({ functionCall: { name: 'x', args: ['rm'] } }) },
    ],
  ])('and is refused with %s', async (_, llm_response) => {
    const seen: unknown[] = []
    const said = await tell(gatesOf(seen), 'AfterModel', { llm_response })
    expect(said).toMatchObject({ decision: 'deny' })
    expect(said.reason).toContain('cannot be read')
    expect(seen).toEqual([])
    expect(await tell([], 'AfterModel', { llm_response })).toEqual({})
  })

  test('and goes on where they agree', async () => {
    const agree = defineHook({
      name: 'agree',
      on: llmPostCall,
      run: () => proceed,
    })
    const llm_response = { candidates: candidate({ functionCall }) }
    expect(await tell([agree], 'AfterModel', { llm_response })).toEqual({})
  })
})

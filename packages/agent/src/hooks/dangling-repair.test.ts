import {
  compileTable,
  createEngine,
  defineHook,
  proceed,
  transform,
} from 'hookline'
import { llmPreCall, type Message } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  type DanglingRepairOptions,
  danglingRepair,
} from './dangling-repair.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'

const user: Message = { role: 'user', content: [{ type: 'text', text: 'Go.' }] }

const calling = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_call', id, tool: 'look', args: {} })),
})

const results = (...ids: readonly string[]): Message => ({
  role: 'tool',
  content: ids.map((callId) => ({
    type: 'tool_result',
    callId,
    tool: 'look',
    content: [{ type: 'text', text: `of ${callId}` }],
    isError: false,
  })),
})

/** The conversation as the model would see it, in brief; `!` is an error. */
async function seen(messages: readonly Message[]): Promise<string> {
  const engine = createEngine(compileTable(danglingRepair({}).hooks ?? []))
  const request = { model: 'm', messages, tools: [], settings: {} }
  const outcome = await engine.run(
    llmPreCall,
    { request, attempt: 1 },
    { scope: { agent: 'a', origin: 'user', coreType: 'x' } },
  )
  expect(outcome.type).toBe('proceed')
  const isSame = outcome.value.request.messages === messages
  const brief = outcome.value.request.messages.map((message) => {
    if (message.role === 'user') return 'u'
    if (message.role === 'tool') {
      const ids = message.content.map(
        ({ callId, isError }) => `${callId}${isError ? '!' : ''}`,
      )
      return `t(${ids.join(' ')})`
    }
    const ids = message.content.flatMap((block) =>
      block.type === 'tool_call' ? [block.id] : [],
    )
    return `a(${ids.join(' ')})`
  })
  return `${isSame ? '=' : ''}${brief.join(' ')}`
}

const both: readonly [string, readonly Message[], string][] = [
  ['what pairs', [user, calling('1', '2'), results('1', '2'), user], '='],
  ['no calls', [user, calling(), user], '='],
  ['no result', [user, calling('1'), user], 'u a(1) t(1!) u'],
  ['no result at the end', [user, calling('1')], 'u a(1) t(1!)'],
  [
    'one of two results',
    [user, calling('1', '2'), results('2')],
    'u a(1 2) t(1! 2)',
  ],
  ['another order', [calling('1', '2'), results('2', '1')], 'a(1 2) t(1 2)'],
  ['no call', [user, results('1'), user], 'u u'],
  ['a result of another call', [calling('1'), results('x')], 'a(1) t(1!)'],
  ['a result twice', [calling('1'), results('1', '1')], 'a(1) t(1)'],
  [
    'words in between',
    [calling('1'), user, results('1'), user],
    'a(1) t(1) u u',
  ],
  [
    'results in two messages',
    [calling('1', '2'), results('1'), results('2')],
    'a(1 2) t(1 2)',
  ],
  ['an id twice in a message', [calling('1', '1'), results('1')], 'a(1) t(1)'],
  [
    'an id again later',
    [calling('1'), results('1'), calling('1'), results('1')],
    '=',
  ],
  [
    'an id again, the first lost',
    [calling('1'), calling('1'), results('1')],
    'a(1) t(1!) a(1) t(1)',
  ],
  ['a result before its call', [results('1'), calling('1')], 'a(1) t(1!)'],
]

test.each(both)('%s', async (_, messages, expected) => {
  const brief = await seen(messages)
  if (expected === '=') expect(brief).toMatch(/^=/)
  else expect(brief).toBe(expected)
})

test('what was repaired once is left alone', async () => {
  for (const [, messages] of both) {
    const engine = createEngine(compileTable(danglingRepair({}).hooks ?? []))
    const run = (given: readonly Message[]) =>
      engine.run(
        llmPreCall,
        {
          request: { model: 'm', messages: given, tools: [], settings: {} },
          attempt: 1,
        },
        { scope: { agent: 'a', origin: 'user', coreType: 'x' } },
      )
    const once = await run(messages)
    const { messages: mended } = once.value.request
    const twice = await run(mended)
    expect(twice.value.request.messages).toEqual(mended)
    expect(twice.writers).toEqual([])
  }
})

test('whatever a conversation is, it pairs then, and loses nothing that was said', async () => {
  const parts = [
    ...[user, calling(), calling('a'), calling('b', 'a'), calling('a', 'a')],
    ...[results(), results('a'), results('a', 'b'), results('b', 'b')],
  ]
  const engine = createEngine(compileTable(danglingRepair({}).hooks ?? []))
  const mended = async (messages: readonly Message[]) => {
    const request = { model: 'm', messages, tools: [], settings: {} }
    const scope = { agent: 'a', origin: 'user', coreType: 'x' } as const
    const call = { request, attempt: 1 }
    const outcome = await engine.run(llmPreCall, call, { scope })
    return outcome.value.request.messages
  }
  let all: readonly (readonly Message[])[] = [[]]
  for (let length = 1; length <= 3; length++) {
    all = all.flatMap((one) => parts.map((part) => [...one, part]))
    for (const messages of all) {
      const once = await mended(messages)
      expect(await mended(once)).toBe(once)
      const spoken = (given: readonly Message[]) =>
        given.filter(({ role }) => role !== 'tool').map(({ role }) => role)
      expect(spoken(once)).toEqual(spoken(messages))
    }
  }
})

test('what another hook has cut is mended before the model sees it, and told', async () => {
  const cutter = defineHook({
    name: 'cutter',
    on: llmPreCall,
    priority: 50,
    writes: true,
    run({ request }) {
      if (request.messages.length < 3) return proceed
      const messages = request.messages.filter(({ role }) => role !== 'tool')
      return transform({ ...request, messages })
    },
  })
  const { model, turns, events } = await play(
    [callsOf('look', {}, {}), { text: 'Done.' }],
    {
      hooks: [cutter],
      plugins: [danglingRepair({ missing: 'Lost.' })],
      tools: [echoTool('look')],
    },
  )
  expect(turns).toMatchObject([{ status: 'succeeded' }])
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: [
      { callId: 'call-1', isError: true, content: [{ text: 'Lost.' }] },
      { callId: 'call-2', isError: true },
    ],
  })
  expect(JSON.stringify(events)).toContain('2 results were added')
})

test('an ordinary turn with calls at the same time is not touched', async () => {
  const { events } = await play(
    [callsOf('look', {}, {}, {}), callsOf('look', {}), { text: 'Done.' }],
    { plugins: [danglingRepair({})], tools: [echoTool('look')] },
  )
  expect(JSON.stringify(events)).not.toContain('do not pair')
})

test.each([
  [{ missing: '' }, 'missing'],
  [{ tells: 'yes' }, 'tells'],
  [{ drops: true }, 'drops'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => danglingRepair(options as DanglingRepairOptions)).toThrow(word)
})

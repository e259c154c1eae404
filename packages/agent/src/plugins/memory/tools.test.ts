import type { BoundTool } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createTransientMemories, type Memories } from '../../index.ts'
import type { ScriptedCall } from '../../testing/index.ts'
import { type StageOptions, setStage } from './fixtures/stage.ts'

const annSpace = { agent: 'main', user: 'ann' }
const bobSpace = { agent: 'main', user: 'bob' }

/** Has the model make calls; what it was told of each. */
async function callTools(
  calls: readonly ScriptedCall[],
  options: StageOptions = {},
) {
  const stage = await setStage({
    script: [{ calls }, { text: 'Done.' }],
    ...options,
  })
  const { requests, status } = await stage.turn('Go on.')
  const results = requests.at(-1)?.messages.at(-1)?.content ?? []
  const told = results.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ text: JSON.stringify(block.content), isError: block.isError }]
      : [],
  )
  return { ...stage, told, status }
}

const call = (tool: string, args: ScriptedCall['args'] = {}): ScriptedCall => ({
  tool,
  args,
})

describe('the tools', () => {
  test('remember keeps with where it is from, under a subject', async () => {
    const text = 'Ann drinks green tea.'
    const { memories, told } = await callTools([
      call('remember', { text, subject: 'Favourite Drink!' }),
    ])
    expect(told).toMatchObject([
      { text: expect.stringContaining('[favourite-drink]'), isError: false },
    ])
    expect(await memories.list(annSpace)).toMatchObject([
      {
        name: 'favourite-drink',
        text,
        user: 'ann',
        origin: 'tool',
        by: 'memory:tools x',
        sessionId: expect.any(String),
        turnId: expect.any(String),
      },
    ])
    expect(await memories.list('main')).toEqual([])
  })

  test('remember replaces what contradicts it, and says so', async () => {
    const memories = createTransientMemories()
    await memories.remember(annSpace, 'home', { text: 'Ann lives in Porto.' })
    const { told } = await callTools(
      [call('remember', { text: 'Ann lives in Ghent.', subject: 'home' })],
      { memories },
    )
    expect(told[0]?.text).toContain('in place of what was known before')
    expect(await memories.superseded(annSpace, 'home')).toHaveLength(1)
  })

  test('recall finds, and says when there is nothing', async () => {
    const memories = createTransientMemories()
    await memories.remember(annSpace, 'tea', { text: 'Ann likes tea.' })
    await memories.remember(bobSpace, 'tea', { text: 'Bob likes tea.' })
    const { told } = await callTools(
      [call('recall', { query: 'tea' }), call('recall', { query: 'moon' })],
      { memories },
    )
    expect(told[0]?.text).toContain('- [tea] Ann likes tea.')
    expect(told[0]?.text).not.toContain('Bob')
    expect(told[1]?.text).toContain('Nothing is remembered about that.')
  })

  test('forget removes for good, and only what is the user’s own', async () => {
    const memories = createTransientMemories()
    await memories.remember(annSpace, 'tea', { text: 'Ann likes tea.' })
    await memories.remember(bobSpace, 'coffee', { text: 'Bob likes coffee.' })
    await memories.remember('main', 'house', { text: 'House rules.' })
    const { told } = await callTools(
      ['[tea]', 'tea', 'coffee', 'house'].map((name) =>
        call('forget', { name }),
      ),
      { memories },
    )
    expect(told.map(({ isError }) => isError)).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(await memories.list(annSpace)).toEqual([])
    expect(await memories.list(bobSpace)).toHaveLength(1)
    expect(await memories.list('main')).toHaveLength(1)
  })

  test.each([
    ['a text that is too long', { text: 'x'.repeat(101) }],
    ['a subject of signs alone', { text: 'tea', subject: '?!' }],
    ['no text', { subject: 'x' }],
    ['a field that is not asked for', { text: 'tea', user: 'bob' }],
  ])('remember refuses %s', async (_, args) => {
    const { memories, told } = await callTools([call('remember', args)], {
      plugin: { maxTextChars: 100 },
    })
    expect(told).toMatchObject([{ isError: true }])
    expect(await memories.list(annSpace)).toEqual([])
  })

  test('a memory that is full is an error to the model, not to the turn', async () => {
    const memories = createTransientMemories({ maxEntries: 1 })
    await memories.remember(annSpace, 'tea', { text: 'Ann likes tea.' })
    const { told, status } = await callTools(
      [call('remember', { text: 'Ann lives in Porto.' })],
      { memories },
    )
    expect(told).toMatchObject([
      { isError: true, text: expect.stringContaining('forget some first') },
    ])
    expect(status).toBe('succeeded')
  })

  test('a model that hears of a tool without being given it cannot call it', async () => {
    const { memories, told } = await callTools(
      [call('remember', { text: 'Ann lives in Porto.' })],
      { memory: { policy: { read: true, write: false } } },
    )
    expect(told).toMatchObject([{ isError: true }])
    expect(await memories.list(annSpace)).toEqual([])
  })
})

describe('are withheld', () => {
  const abilities = { tools: false, images: true, files: true, reasoning: true }

  test('from a model that cannot call tools, which is told nothing of them', async () => {
    const { turn, runsOf } = await setStage({ abilities })
    const { tools, shown } = await turn('Hello.')
    expect(tools).toEqual([])
    expect(shown).not.toMatch(/Use recall|Use remember|Use forget/)
    expect(runsOf('memory:tools')[0]?.diagnostics).toMatchObject([
      { code: 'memory.tools_withheld', message: 'no tool calls' },
    ])
  })

  test('where the agent’s list of tools does not have them', async () => {
    const { turn } = await setStage({ config: { tools: ['recall'] } })
    expect((await turn('Hello.')).tools).toEqual(['recall'])
    const { turn: other } = await setStage({ config: { tools: [] } })
    expect((await other('Hello.')).tools).toEqual([])
  })
})

describe('sub-agents', () => {
  const child = {
    name: 'child',
    model: 'x',
    instructions: 'Help.',
    plugins: { memory: {} },
  }
  const delegating: BoundTool = {
    name: 'hand-on',
    description: 'Hands work on.',
    inputSchema: { type: 'object' },
    safety: 'read_only',
    async dispatch(_, context) {
      await context.delegate({ agent: child, task: 'Recall tea.' })
      return { content: [], isError: false }
    },
  }

  async function delegate(
    memories: Memories,
    options: StageOptions,
    user?: null,
  ) {
    const stage = await setStage({
      memories,
      script: ({ messages }) => {
        const isChild = JSON.stringify(messages).includes('Recall tea.')
        const isBegun = messages.some(({ role }) => role === 'tool')
        if (isChild || isBegun) return { text: 'Done.' }
        return { calls: [call('hand-on')] }
      },
      runtime: { tools: [delegating] },
      ...options,
    })
    const { requests } = await stage.turn('Go on.', user)
    return requests.find(({ messages }) =>
      JSON.stringify(messages).includes('Recall tea.'),
    )
  }

  test('have no memory where their parent has none', async () => {
    const memories = createTransientMemories()
    await memories.remember('child', 'tea', { text: 'Green tea.' })
    const asked = await delegate(memories, { memory: null })
    expect(asked?.tools.map(({ name }) => name)).toEqual(['hand-on'])
    expect(JSON.stringify(asked?.messages)).not.toContain('Green tea.')
    const again = await delegate(memories, {})
    expect(JSON.stringify(again?.messages)).toContain('Green tea.')
  })

  test('may no more than their parent may', async () => {
    const memories = createTransientMemories()
    await memories.remember('child', 'tea', { text: 'Green tea.' })
    const memory = { policy: { read: false, write: true } }
    const asked = await delegate(memories, { memory })
    const names = asked?.tools.map(({ name }) => name)
    expect(names).toEqual(['hand-on', 'remember', 'forget'])
    expect(JSON.stringify(asked?.messages)).not.toContain('Green tea.')
  })

  test('keep nothing if it is not known whom they work for', async () => {
    const asked = await delegate(createTransientMemories(), {}, null)
    const names = asked?.tools.map(({ name }) => name)
    expect(names).toEqual(['hand-on', 'recall'])
  })
})

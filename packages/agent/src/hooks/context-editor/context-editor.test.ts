import { createMemoryState, defineCell } from 'hookline'
import type { Message, ModelRequest } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createAgent, defineTool, type Session } from '../../index.ts'
import { type ScriptStep, scriptedModel } from '../../testing/index.ts'
import { liveTwice } from '../fixtures/lives.ts'
import { callsOf, delegateTool, play } from '../fixtures/play.ts'
import { contextEditor } from './context-editor.ts'
import type { ContextEditorOptions } from './options.ts'

/** A tool whose results are about a hundred tokens. */
const long = (name: string) =>
  defineTool({
    name,
    description: 'Says much.',
    input: { type: 'object' },
    safety: 'read_only',
    execute: async ({ at }) => `${Number(at)} ${'x'.repeat(398)}`,
  })

const small: ContextEditorOptions = {
  contextTokens: 1_000,
  startShare: 0.8,
  targetShare: 0.4,
  keepLatest: 2,
  keepChars: 3,
}

const steps = (count: number, tool = 'look'): readonly ScriptStep[] =>
  Array.from({ length: count }, (_, at) => callsOf(tool, { at }))

const played = (options: ContextEditorOptions, count: number) =>
  play([...steps(count), { text: 'Done.' }], {
    plugins: [contextEditor(options)],
    tools: [long('look'), long('other'), delegateTool('given/model')],
  })

/** Which results of a request are shortened: one letter for each. */
function shape({ messages }: ModelRequest): string {
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .map(({ content: [part] }) =>
      part?.type === 'text' && part.text.includes('were left out') ? 's' : 'L',
    )
    .join('')
}

test('old results are shortened in steps, and nothing changes in between', async () => {
  const { model } = await played(small, 14)
  const shapes = model.requests.map(shape)
  expect(shapes.slice(0, 7)).toEqual([
    '',
    'L',
    'LL',
    'LLL',
    'LLLL',
    'LLLLL',
    'LLLLLL',
  ])
  const steps = shapes.filter(
    (one, at) =>
      one.indexOf('L') > (shapes[at - 1] ?? '').indexOf('L') && at > 1,
  )
  expect(steps.length).toBeGreaterThan(1)
  expect(steps.length).toBeLessThan(5)
  for (const one of shapes) expect(one).toMatch(/^s*(?:L{2,}|L?)$/)
})

test('what a provider has in its cache stays the beginning, but for the steps', async () => {
  const { model } = await played(small, 14)
  const texts = model.requests.map(({ messages }) => messages.map(textOf))
  const broken = texts.filter((now, at) => {
    const before = texts[at - 1] ?? []
    return before.some((text, index) => now[index] !== text)
  })
  expect(broken.length).toBeLessThan(5)
})

const textOf = (message: Message) => JSON.stringify(message)

test('a shortened result keeps its call, its beginning and what was lost', async () => {
  const { model, turns } = await played(small, 12)
  const results = model.requests
    .at(-1)
    ?.messages.flatMap((one) => (one.role === 'tool' ? one.content : []))
  expect(results?.[0]).toMatchObject({
    type: 'tool_result',
    callId: 'call-1',
    isError: false,
    content: [
      {
        text: '0 x\n[397 characters of this result were left out to save room; call look again if they are needed.]',
      },
    ],
  })
  expect(turns).toMatchObject([{ status: 'succeeded' }])
})

test('what is kept is not touched: latest results, single tools, small gains', async () => {
  const latest = await played({ ...small, keepLatest: 20 }, 12)
  expect(latest.model.requests.map(shape).join('')).not.toContain('s')
  const tools = await played({ ...small, keepTools: ['look'] }, 12)
  expect(tools.model.requests.map(shape).join('')).not.toContain('s')
  const gains = await played({ ...small, minSavedShare: 0.9 }, 12)
  expect(gains.model.requests.map(shape).join('')).not.toContain('s')
})

test('results that the model has not seen stay, however many', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ at }))
  const { model } = await play([callsOf('look', ...many), { text: 'Done.' }], {
    plugins: [contextEditor({ ...small, keepLatest: 1 })],
    tools: [long('look')],
  })
  expect(model.requests.map(shape).at(-1)).toBe('L'.repeat(12))
})

test('the latest stay as they are, also where the one that was remembered is a later one now', async () => {
  const state = createMemoryState()
  const model = scriptedModel([...steps(3), { text: 'Done.' }])
  const plugins = [contextEditor(small)]
  const agent = createAgent({ model, plugins, state, tools: [long('look')] })
  const session = await agent.openSession()
  const cell = defineCell('context-editor:up-to', {
    ...{ initial: () => ({ key: '' }), scope: 'session' },
  })
  // Providers use ids again: after a compaction another result has this one.
  const key = '1:call-3'
  await state.at({ session: session.id }).update(cell, () => ({ key }))
  await session.send('Go.').result
  await agent.close()
  expect(model.requests.map(shape).at(-1)).toBe('sLL')
})

test('without a window nothing is done; the window of the model counts', async () => {
  const { contextTokens: _, ...open } = small
  const { model } = await played(open, 12)
  expect(model.requests.map(shape).join('')).not.toContain('s')
  const sized = scriptedModel([...steps(12), { text: 'Done.' }], {
    abilities: {
      ...{ tools: true, images: true, files: true, reasoning: true },
      contextTokens: 1_000,
    },
  })
  const plugins = [contextEditor(open)]
  const agent = createAgent({ model: sized, plugins, tools: [long('look')] })
  await agent.run('Go.').result
  await agent.close()
  expect(sized.requests.map(shape).join('')).toContain('s')
})

test('another process shows the model the same beginning', async () => {
  const model = scriptedModel((_, call) =>
    call <= 4 ? callsOf('look', { at: call }) : { text: 'Done.' },
  )
  const talk = async (session: Session) => {
    expect((await session.send('Go.').result).status).toBe('succeeded')
  }
  await liveTwice(
    () => ({
      models: { resolve: () => model },
      plugins: [contextEditor({ ...small, contextTokens: 500 })],
      tools: [long('look')],
    }),
    [talk, talk],
  )
  const [before = '', after = ''] = model.requests.slice(-2).map(shape)
  expect(before).toContain('s')
  expect(after).toBe(before)
})

test('a helper has a conversation of its own', async () => {
  const model = scriptedModel((request) => {
    const isHelper = JSON.stringify(request.messages).includes('Help.')
    if (isHelper) return { text: 'Helped.' }
    const count = shape(request).length
    if (count === 10) return callsOf('delegate', {})
    return count < 12 ? callsOf('look', { at: count }) : { text: 'Done.' }
  })
  const agent = createAgent({
    model,
    plugins: [contextEditor(small)],
    tools: [long('look'), delegateTool('given/model')],
  })
  expect((await agent.run('Go.').result).text).toBe('Done.')
  await agent.close()
  expect(model.requests.map(shape)).toContain('')
})

test.each([
  [{ startShare: 0.3, targetShare: 0.3 }, 'targetShare'],
  [{ keepLatest: 0 }, 'keepLatest'],
  [{ contextTokens: 1 }, 'contextTokens'],
  [{ startShare: 2 }, 'startShare'],
  [{ keepTools: 'look' }, 'keepTools'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => contextEditor(options as ContextEditorOptions)).toThrow(word)
})

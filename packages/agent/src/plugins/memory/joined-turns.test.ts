import type { Actor, BoundTool, ToolContext } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createTransientMemories } from '../../index.ts'
import type { ScriptedCall } from '../../testing/index.ts'
import { ann, type StageOptions, setStage } from './fixtures/stage.ts'

const bob = { kind: 'user', id: 'bob' } as const
const cron = { kind: 'service', id: 'cron' } as const
const spaceOf = ({ id }: Actor) => ({ agent: 'main', user: id })

/** A tool in which somebody else says something, as in an answer. */
const meet: BoundTool = {
  name: 'meet',
  description: 'Has Bob join in.',
  inputSchema: { type: 'object' },
  safety: 'read_only',
  async dispatch(_: unknown, context: ToolContext) {
    context.joinIn(bob)
    return { content: [], isError: false }
  },
}

const calls: readonly ScriptedCall[] = [
  { tool: 'remember', args: { text: 'Bob is diabetic.' } },
  { tool: 'recall', args: { query: 'tea' } },
  { tool: 'forget', args: { name: 'tea' } },
]

async function fill() {
  const memories = createTransientMemories()
  for (const who of [ann, bob]) {
    const text = `${who.id} likes tea.`
    await memories.remember(spaceOf(who), 'tea', { text })
  }
  await memories.remember('main', 'pot', { text: 'The office has a tea pot.' })
  return memories
}

/** A turn of somebody in which the memory is used when Bob has joined. */
async function joinedBy(
  actor: Actor | undefined,
  { hasMet = true, ...options }: StageOptions & { hasMet?: boolean } = {},
) {
  const memories = await fill()
  const stage = await setStage({
    memories,
    script: [
      ...(hasMet ? [{ calls: [{ tool: 'meet', args: {} }] }] : []),
      { calls },
      { text: 'Done.' },
    ],
    runtime: { tools: [meet] },
    ...options,
  })
  const session = await stage.runtime.openSession({
    agent: 'main',
    ...(actor && { actor }),
  })
  await session.send('Remember that I am allergic to nuts.').result
  await stage.runtime.drain()
  const results = stage.model.requests.at(-1)?.messages.at(-1)?.content ?? []
  const told = results.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ text: JSON.stringify(block.content), isError: block.isError }]
      : [],
  )
  const namesIn = async (space: Parameters<typeof memories.list>[0]) =>
    (await memories.list(space)).map(({ name }) => name)
  const kept = {
    ann: await namesIn(spaceOf(ann)),
    bob: await namesIn(spaceOf(bob)),
    all: await namesIn('main'),
  }
  return { ...stage, told, kept }
}

test.for<readonly [string, Actor | undefined]>([
  ['another user', ann],
  ['a service', cron],
  ['nobody', undefined],
])(
  'a turn of %s that a user has joined uses nobody’s memory but that of all, and keeps nothing',
  async ([, actor]) => {
    const { told, kept } = await joinedBy(actor)
    expect(told).toMatchObject([
      { isError: true, text: expect.stringContaining('have joined') },
      { isError: false, text: expect.stringContaining('tea pot') },
      { isError: true, text: expect.stringContaining('have joined') },
    ])
    expect(told[1]?.text).not.toContain('likes tea')
    expect(kept).toEqual({ ann: ['tea'], bob: ['tea'], all: ['pot'] })
  },
)

test('whoever joins a turn of their own is who it was', async () => {
  const { told, kept } = await joinedBy(bob)
  expect(told.map(({ isError }) => isError)).toEqual([false, false, false])
  expect(told[1]?.text).toContain('bob likes tea')
  expect(kept).toMatchObject({ ann: ['tea'], all: ['pot'] })
  expect(kept.bob).not.toContain('tea')
})

test.for<readonly [string, Actor]>([
  ['of a user', { ...ann, besides: [bob] }],
  ['of a service', { ...cron, besides: [bob] }],
])(
  'a turn %s that others had a say in from its beginning is not offered to write',
  async ([, actor]) => {
    const { told, kept, model } = await joinedBy(actor, { hasMet: false })
    const names = model.requests[0]?.tools.map(({ name }) => name)
    expect(names).toEqual(['meet', 'recall'])
    const shown = JSON.stringify(model.requests[0]?.messages)
    expect(shown).not.toContain('likes tea')
    expect(told[1]?.text).not.toContain('likes tea')
    expect(kept).toEqual({ ann: ['tea'], bob: ['tea'], all: ['pot'] })
  },
)

test.for<readonly [string, Actor | undefined]>([
  ['another user', ann],
  ['a service', cron],
  ['nobody', undefined],
])(
  'nothing is found afterwards in what was told in a turn of %s that a user has joined',
  async ([, actor]) => {
    const script = [
      { calls: [{ tool: 'meet', args: {} }] },
      { text: 'Done.' },
    ] as const
    const { kept } = await joinedBy(actor, { script })
    expect(kept).toEqual({ ann: ['tea'], bob: ['tea'], all: ['pot'] })
    const alone = await joinedBy(actor, { script: [{ text: 'Done.' }] })
    const { ann: anns, all } = alone.kept
    expect([...anns, ...all]).toHaveLength(3)
  },
)

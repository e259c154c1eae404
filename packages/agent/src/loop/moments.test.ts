// What hooks are told of the moment that they are asked in.
import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  type CompactionPreInput,
  compactionPre,
  type EndedCall,
  llmPreCall,
  sessionStart,
  toolPostCall,
  toolPreCall,
  turnPostTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { brief } from '../runtime/fixtures/paired.ts'
import { openStage, type StageOptions } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

const hello = { text: 'Hello.' }

/** Keeps what it is told at a point. */
function noting<T>(
  on: typeof toolPreCall,
  look: (input: never, scope: AgentScope) => T,
): { readonly hook: Hook; readonly told: readonly T[] } {
  const told: T[] = []
  const hook = defineHook({
    name: `note-${on.name}`,
    on,
    run: (input, { scope }) => {
      told.push(look(input as never, scope))
      return proceed
    },
  })
  return { hook, told }
}

/** The points differ in nothing that such a hook looks at. */
const at = (on: Hook['on']) => on as typeof toolPreCall

const twoSteps: Parameters<typeof openStage>[0] = [
  { calls: [{ tool: 'read' }] },
  { text: 'One.' },
  { calls: [{ tool: 'read' }] },
  { text: 'Two.' },
]

describe('a hook is told where in its life an agent is', () => {
  const session = { id: 's', cwd: '/work' }
  const common = { sessionId: 's', cwd: '/work', agent: 'main' }

  async function scopesAt(
    on: Hook['on'],
    more: StageOptions = {},
  ): Promise<readonly AgentScope[]> {
    const { hook, told } = noting(at(on), (_, scope) => scope)
    const tools = [tool('read')]
    const options = { hooks: [hook], tools, session, ...more }
    const { say } = await openStage(twoSteps, options)
    await say('First.')
    await say('Second.')
    return told
  }

  test('by session, turn, step, agent, core, folder and origin', async () => {
    const told = await scopesAt(llmPreCall)
    const place = { ...common, origin: 'user', coreType: 'loop' }
    expect(told).toMatchObject([
      { ...place, turn: 1, step: 1 },
      { ...place, turn: 1, step: 2 },
      { ...place, turn: 2, step: 1 },
      { ...place, turn: 2, step: 2 },
    ])
    const turns = new Set(told.map(({ turnId }) => turnId))
    expect(turns.size).toBe(2)
  })

  test('as far as there is a turn or a step', async () => {
    const [started] = await scopesAt(sessionStart)
    expect(started).toMatchObject(common)
    expect(started).not.toHaveProperty('turn')
    expect(started).not.toHaveProperty('step')
    const ended = await scopesAt(turnPostTurn)
    expect(ended.map(({ turn }) => turn)).toEqual([1, 2])
  })

  test('by whom it is asked for', async () => {
    const actor = { kind: 'user', id: 'ann' } as const
    const told = await scopesAt(toolPreCall, { session: { ...session, actor } })
    expect(told.map((scope) => scope.actor)).toEqual([actor, actor])
  })
})

test('tool.pre_call is told the grant of policy, and the class of the tool', async () => {
  const { hook, told } = noting(toolPreCall, (call) => call)
  const tools = [tool('send', () => 'sent', 'network')]
  const script = [{ calls: [{ tool: 'send', args: { to: 'ann' } }] }, hello]
  const { say } = await openStage(script, { hooks: [hook], tools })
  await say('Go.')
  expect(told).toMatchObject([
    {
      tool: 'send',
      args: { to: 'ann' },
      safety: 'network',
      grant: { decision: 'allow', timeoutMs: expect.any(Number) },
    },
  ])
})

test('a hook is asked about calls of the classes that it names, and no others', async () => {
  const guarding = defineHook({
    name: 'no-changes',
    on: toolPreCall,
    match: { safety: ['mutating', 'destructive'] },
    run: () => reject('Nothing is changed.'),
  })
  const ran: string[] = []
  const tools = (['read_only', 'mutating', 'destructive', 'network'] as const)
    // Each has the name of its class.
    .map((name) => tool(name, () => String(ran.push(name)), name))
  const calls = tools.map(({ name }) => ({ tool: name }))
  const hooks = [guarding]
  const { say } = await openStage([{ calls }, hello], { hooks, tools })
  await say('Go.')
  expect(ran.sort()).toEqual(['network', 'read_only'])
})

test('tool.post_call is told how long the call took', async () => {
  const { hook, told } = noting(at(toolPostCall), (input) => {
    const { elapsedMs } = input as { readonly elapsedMs: number }
    return elapsedMs
  })
  const slow = tool('slow', async () => {
    await stage.clock.advance(40)
    return 'done'
  })
  const script = [{ calls: [{ tool: 'slow' }] }, hello]
  const stage = await openStage(script, { hooks: [hook], tools: [slow] })
  await stage.say('Go.')
  expect(told).toEqual([40])
})

test('tool.post_call is told the result of the call, or its error', async () => {
  const { hook, told } = noting(at(toolPostCall), (input) => {
    const { status, result }: EndedCall = input
    return { status, result }
  })
  const broken = tool('broken', () => {
    throw new Error('Out of paper.')
  })
  const fine = tool('fine', () => 'Printed.')
  const calls = [{ tool: 'fine' }, { tool: 'broken' }]
  const stage = await openStage([{ calls }, hello], {
    hooks: [hook],
    tools: [fine, broken],
  })
  await stage.say('Go.')
  const texts = (text: string) => [{ type: 'text', text }]
  expect(told).toHaveLength(2)
  expect(told).toContainEqual({
    status: 'executed',
    result: { isError: false, content: texts('Printed.') },
  })
  expect(told).toContainEqual({
    status: 'executed',
    result: {
      isError: true,
      error: 'tool',
      content: texts(expect.stringContaining('Out of paper.')),
    },
  })
})

test('compaction.pre is told the messages, the budget and the trigger', async () => {
  const told: CompactionPreInput[] = []
  const looking = defineHook({
    name: 'looking',
    on: compactionPre,
    run: (input) => {
      told.push(input)
      return reject('Not now.')
    },
  })
  const usage = { inputTokens: 60, outputTokens: 1 }
  const { say, session } = await openStage([{ ...hello, usage }], {
    hooks: [looking],
    config: { compaction: { maxTokens: 100, keepMessages: 1 } },
  })
  await say('Hi.')
  await session.compact()
  expect(told).toMatchObject([{ trigger: 'manual', hint: {} }])
  const [{ messages = [], budget } = {}] = told
  expect(brief(messages)).toEqual(['user: Hi.', 'assistant: Hello.'])
  expect(budget).toMatchObject({ usedTokens: 61, maxTokens: 100 })
  expect(budget?.targetTokens).toBeLessThan(100)
})

import { defineHook, keepGoing, proceed, reject } from 'hookline'
import {
  type AgentConfig,
  type BoundTool,
  type DelegatedResult,
  subagentStart,
  subagentStop,
  toolGuard,
  toolPreCall,
  turnInput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryApprovals, createPolicy } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { breaking, telling } from './fixtures/hooks.ts'
import { brief, expectPaired } from './fixtures/paired.ts'
import {
  eventsOf,
  gate,
  mainConfig,
  openStage,
  type StageOptions,
} from './fixtures/stage.ts'
import { endless, tool } from './fixtures/tools.ts'

const helper: AgentConfig = { ...mainConfig, name: 'helper', model: 'helper' }
const callDelegate = [{ calls: [{ tool: 'delegate' }] }, { text: 'Done.' }]

/** A tool that has another agent do something, and what came of it. */
function delegating(agent: string | AgentConfig, name = 'delegate') {
  const results: DelegatedResult[] = []
  const made = tool(name, async (_, context) => {
    const result = await context.delegate({ agent, task: 'Help.' })
    results.push(result)
    return result.status
  })
  return { tool: made, results }
}

/** An agent that delegates to `helper`, who says and does this. */
async function delegated(
  script: Parameters<typeof scriptedModel>[0],
  options: StageOptions & { readonly helper?: string | AgentConfig } = {},
) {
  const { helper: agent = helper, tools = [], ...rest } = options
  const { tool: delegate, results } = delegating(agent)
  const child = scriptedModel(script)
  const stage = await openStage(callDelegate, {
    ...rest,
    tools: [delegate, ...tools],
    models: { helper: child },
  })
  return { ...stage, results, child }
}

function counted(name: string, ran: string[], safety?: BoundTool['safety']) {
  const run = () => {
    ran.push(name)
    return name
  }
  return tool(name, run, safety)
}

describe('a task for another agent', () => {
  test('is answered by one that is made for it', async () => {
    const { say, results, child, session } = await delegated([
      { text: 'Helped.' },
    ])
    expect((await say('Go.')).text).toBe('Done.')
    expect(results).toEqual([
      { status: 'succeeded', reply: [{ type: 'text', text: 'Helped.' }] },
    ])
    expect(brief(child.requests[0]?.messages ?? [])).toEqual(['user: Help.'])
    expectPaired(session.messages)
  })

  test('is done on behalf of whoever the parent works for', async () => {
    const actors: unknown[] = []
    const watch = defineHook({
      name: 'watch',
      on: turnInput,
      run: (_, { scope }) => {
        actors.push([scope.agent, scope.actor?.id])
        return proceed
      },
    })
    const { session } = await delegated([{ text: 'Yes.' }], { hooks: [watch] })
    const actor = { kind: 'user', id: 'ada' } as const
    await session.send('Go.', { actor }).result
    expect(actors).toEqual([
      ['main', 'ada'],
      ['helper', 'ada'],
    ])
  })

  test('is answered by one that is registered', async () => {
    const { say, results, runtime } = await delegated([{ text: 'Helped.' }], {
      helper: 'helper',
    })
    await runtime.register(helper)
    await say('Go.')
    expect(results).toMatchObject([{ status: 'succeeded' }])
    expect(runtime.agents.map(({ name }) => name)).toEqual(['main', 'helper'])
  })

  test('for an agent that nobody knows is an error of the tool', async () => {
    const { say, session } = await delegated([], { helper: 'nobody' })
    expect((await say('Go.')).status).toBe('succeeded')
    expect(session.messages[2]).toMatchObject({ content: [{ isError: true }] })
  })

  test('that fails says how, and the parent goes on', async () => {
    const { say, results } = await delegated([
      { error: { code: 'invalid_request', message: 'Nope.' } },
    ])
    expect((await say('Go.')).text).toBe('Done.')
    expect(results).toEqual([{ status: 'failed', reply: [], reason: 'Nope.' }])
  })

  test('is cancelled with its parent', async () => {
    const working = gate()
    const { session, results, runtime } = await delegated(
      [{ calls: [{ tool: 'work' }] }],
      { tools: [endless('work', () => void working.pass())] },
    )
    const turn = session.send('Go.')
    await working.reached
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
    await runtime.drain()
    expect(results).toMatchObject([{ status: 'cancelled' }])
    expectPaired(session.messages)
  })

  test('is told with the path of who does it, between a start and an end', async () => {
    const { say, events } = await delegated([{ text: 'Helped.' }])
    await say('Go.')
    const told = events.filter(({ path }) => path.length > 1)
    expect(new Set(told.map(({ path }) => path.join('/')))).toEqual(
      new Set(['main/helper']),
    )
    expect(told.map(({ type }) => type)).toContain('text-delta')
    expect(eventsOf(events, 'subagent-start')).toMatchObject([
      { child: 'helper', task: 'Help.', path: ['main'] },
    ])
    expect(eventsOf(events, 'subagent-end')).toMatchObject([
      { child: 'helper', status: 'succeeded', path: ['main'] },
    ])
    const numbers = events.map(({ seq }) => seq)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('that has begun is told to have ended, even if a hook breaks it', async () => {
    const { say, events } = await delegated([{ text: 'Helped.' }], {
      hooks: [breaking(subagentStop)],
    })
    await say('Go.')
    expect(eventsOf(events, 'subagent-end')).toHaveLength(
      eventsOf(events, 'subagent-start').length,
    )
  })
})

describe('subagent.start', () => {
  test('a reject refuses the task, and the model is told why', async () => {
    const refusing = defineHook({
      name: 'refusing',
      on: subagentStart,
      match: { parent: 'main', child: 'helper' },
      run: () => reject('Do it yourself.'),
    })
    const { say, results, child, events } = await delegated([], {
      hooks: [refusing],
    })
    await say('Go.')
    expect(results).toEqual([
      { status: 'rejected', reply: [], reason: 'Do it yourself.' },
    ])
    expect(child.requests).toEqual([])
    expect(eventsOf(events, 'subagent-start')).toEqual([])
  })

  test('context reaches the child alone', async () => {
    const { say, child, model } = await delegated([{ text: 'Helped.' }], {
      hooks: [telling(subagentStart, 'Mind the gap.')],
    })
    await say('Go.')
    const shown = (requests: typeof child.requests) =>
      JSON.stringify(requests).includes('Mind the gap.')
    expect([shown(child.requests), shown(model.requests)]).toEqual([
      true,
      false,
    ])
  })
})

describe('subagent.stop', () => {
  const insisting = (times: number, seen: number[] = []) =>
    defineHook({
      name: 'insisting',
      on: subagentStop,
      run: ({ continuesSoFar }) => {
        seen.push(continuesSoFar)
        return continuesSoFar < times ? keepGoing('More.') : proceed
      },
    })

  test('keepGoing has the child go on with the feedback', async () => {
    const { say, results, child } = await delegated(
      [{ text: 'One.' }, { text: 'Two.' }],
      { hooks: [insisting(1)] },
    )
    await say('Go.')
    expect(results).toMatchObject([{ reply: [{ text: 'Two.' }] }])
    expect(brief(child.requests[1]?.messages ?? [])).toEqual([
      'user: Help.',
      'assistant: One.',
      'user: <feedback from="insisting">\nMore.\n</feedback>',
    ])
  })

  test('F138 keepGoing counts three times', async () => {
    const { say, results, child } = await delegated(
      (_, call) => ({ text: `${call}` }),
      { hooks: [insisting(99)] },
    )
    await say('Go.')
    expect(child.requests).toHaveLength(4)
    expect(results).toMatchObject([
      { status: 'succeeded', reply: [{ text: '4' }] },
    ])
  })
})

describe('a limit of the parent on how often a task is kept going', () => {
  const always = defineHook({
    name: 'insisting',
    on: subagentStop,
    run: () => keepGoing('More.'),
  })

  test.each([1, 5])('F138 is what counts: %i', async (maxContinues) => {
    const { say, child } = await delegated(() => ({ text: 'Helped.' }), {
      hooks: [always],
      config: { limits: { maxContinues } },
    })
    await say('Go.')
    expect(child.requests).toHaveLength(maxContinues + 1)
  })

  test.each([
    [undefined, 3],
    [{ maxContinues: 1 }, 1],
    [{ maxContinues: 5 }, 5],
  ])('F138 is what counts where nobody waits: %j', async (limits, most) => {
    const config = limits === undefined ? {} : { limits }
    const { runtime } = await openStage([], { hooks: [always], config })
    const judge = (continuesSoFar: number) =>
      runtime.judgeTask({
        agent: 'helper',
        cwd: '',
        parent: { agents: ['main'], sessions: ['s'] },
        ...{ task: 'Help.', reply: [], continuesSoFar },
      })
    expect(await judge(most - 1)).toBeDefined()
    expect(await judge(most)).toBeUndefined()
  })
})

describe('a child never has more than its parent', () => {
  test('its tools are those of the parent, or fewer', async () => {
    const tools = [tool('read'), tool('write')]
    const { say, child } = await delegated([{ text: 'Helped.' }], {
      tools,
      config: { tools: ['delegate', 'read'] },
      helper: { ...helper, tools: ['read', 'write'] },
    })
    await say('Go.')
    expect(child.requests[0]?.tools.map(({ name }) => name)).toEqual(['read'])
  })

  test('a registered one with more tools has those of both', async () => {
    const { say, child, runtime } = await delegated([{ text: 'Helped.' }], {
      tools: [tool('read'), tool('write')],
      config: { tools: ['delegate', 'read'] },
      helper: 'helper',
    })
    await runtime.register({ ...helper, tools: ['read', 'write'] })
    await say('Go.')
    expect(child.requests[0]?.tools.map(({ name }) => name)).toEqual(['read'])
  })

  test('nor has a child of a registered child', async () => {
    const inner = { ...helper, name: 'inner', model: 'inner' }
    const { tool: pass } = delegating(inner, 'pass')
    const innerModel = scriptedModel([{ text: 'Deep.' }])
    const { tool: delegate } = delegating('helper')
    const { say, runtime } = await openStage(callDelegate, {
      tools: [delegate, pass, tool('write')],
      config: { tools: ['delegate', 'pass'] },
      models: {
        helper: scriptedModel([{ calls: [{ tool: 'pass' }] }, { text: 'Ok.' }]),
        inner: innerModel,
      },
    })
    await runtime.register({ ...helper, tools: ['pass', 'write'] })
    await say('Go.')
    expect(innerModel.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'pass',
    ])
  })

  test.each(['made', 'registered'])(
    'the policy of the parent holds for one that is %s',
    async (how) => {
      const ran: string[] = []
      const open = createPolicy({ mode: 'open' })
      const rules = [{ tool: 'write', decision: 'deny' as const }]
      const { say, runtime } = await delegated(
        [{ calls: [{ tool: 'write' }] }, { text: 'Helped.' }],
        {
          tools: [counted('write', ran)],
          agent: { policy: createPolicy({ mode: 'open', rules }) },
          policy: open,
          helper: how === 'made' ? helper : 'helper',
        },
      )
      if (how === 'registered') await runtime.register(helper, { policy: open })
      await say('Go.')
      expect(ran).toEqual([])
    },
  )

  test('what would be asked is denied where nobody can answer', async () => {
    const ran: string[] = []
    const { say, events } = await delegated(
      [{ calls: [{ tool: 'write' }] }, { text: 'Helped.' }],
      {
        tools: [counted('write', ran, 'mutating')],
        policy: createPolicy({
          rules: [{ tool: 'delegate', decision: 'allow' }],
        }),
      },
    )
    await say('Go.')
    expect(ran).toEqual([])
    const ends = eventsOf(events, 'tool-end')
    expect(ends.map(({ tool: name, status }) => [name, status])).toEqual([
      ['write', 'denied'],
      ['delegate', 'executed'],
    ])
  })

  test('where somebody can, the question is put to them', async () => {
    const ran: string[] = []
    const approvals = createMemoryApprovals({
      onQuestion: ({ question, scope }) => {
        ran.push(`asked ${scope.agent}`)
        approvals.answer(question.id, { type: 'allow' }, 'ann')
      },
    })
    const { say } = await delegated(
      [{ calls: [{ tool: 'write' }] }, { text: 'Helped.' }],
      {
        approvals,
        tools: [counted('write', ran, 'mutating')],
        policy: createPolicy({
          rules: [{ tool: 'delegate', decision: 'allow' }],
        }),
      },
    )
    await say('Go.')
    expect(ran).toEqual(['asked helper', 'write'])
  })
})

describe('which agents may be asked', () => {
  test.each([
    ['absent: any', undefined, 'succeeded'],
    ['empty: none', [], 'rejected'],
    ['by name', ['helper'], 'succeeded'],
    ['by pattern', ['help*'], 'succeeded'],
    ['others', ['expert'], 'rejected'],
  ])('%s', async (_, subagents, status) => {
    const { say, results } = await delegated([{ text: 'Helped.' }], {
      config: subagents === undefined ? {} : { subagents },
    })
    await say('Go.')
    expect(results).toMatchObject([{ status }])
  })
})

describe('the hooks of a parent', () => {
  test.each(['made', 'registered'])(
    'hold for a child that is %s',
    async (how) => {
      const ran: string[] = []
      const denying = defineHook({
        name: 'denying',
        on: toolGuard,
        match: { tool: 'write' },
        run: () => reject('Not here.'),
      })
      const { say, runtime } = await delegated(
        [{ calls: [{ tool: 'write' }] }, { text: 'Helped.' }],
        {
          tools: [counted('write', ran)],
          agent: { hooks: [denying] },
          helper: how === 'made' ? helper : 'helper',
        },
      )
      if (how === 'registered') await runtime.register(helper)
      await say('Go.')
      expect(ran).toEqual([])
    },
  )

  test('that match its name match its children', async () => {
    const seen: string[] = []
    const looking = defineHook({
      name: 'looking',
      on: toolPreCall,
      match: { agent: 'main' },
      run: ({ tool: name }, { scope }) => {
        seen.push(`${scope.agent} ${name} ${scope.parents?.join() ?? ''}`)
        return proceed
      },
    })
    const { say } = await delegated(
      [{ calls: [{ tool: 'read' }] }, { text: 'Helped.' }],
      { tools: [tool('read')], hooks: [looking] },
    )
    await say('Go.')
    expect(seen).toEqual(['main delegate ', 'helper read main'])
  })

  test('do not hold for a registered agent when it works for itself', async () => {
    const seen: string[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: (_, { scope }) => {
        seen.push(scope.agent)
        return proceed
      },
    })
    const { runtime } = await delegated([{ text: 'Hello.' }], {
      agent: { hooks: [looking] },
    })
    await runtime.register(helper)
    const session = await runtime.openSession({ agent: 'helper' })
    await session.send('Hi.').result
    expect(seen).toEqual([])
  })

  test('a child’s turn has the origin of a sub-agent', async () => {
    const seen: string[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: (_, { scope }) => {
        seen.push(`${scope.agent} ${scope.origin}`)
        return proceed
      },
    })
    const { say } = await delegated([{ text: 'Helped.' }], { hooks: [looking] })
    await say('Go.')
    expect(seen).toEqual(['main user', 'helper subagent'])
  })
})

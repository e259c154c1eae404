import { defineHook, proceed, reject } from 'hookline'
import {
  agentRegister,
  sessionStart,
  subagentStart,
  toolGuard,
  toolPreCall,
  turnPreTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { type BackgroundTask, defineTool } from '../../index.ts'
import type { ScriptStep } from '../../testing/index.ts'
import {
  done,
  hands,
  openStage,
  type Script,
  worker,
} from './fixtures/stage.ts'

describe('delegate', () => {
  test('several tasks run at the same time, each with its own events path', async () => {
    const started: string[] = []
    const both = Promise.withResolvers<void>()
    const meet = defineTool({
      name: 'meet',
      description: 'Waits for the other.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: async (_, { scope }) => {
        started.push(scope.agent)
        if (started.length === 2) both.resolve()
        await both.promise
        return 'met'
      },
    })
    const work: Script = [{ calls: [{ tool: 'meet' }] }, { text: 'We met.' }]
    const { session, told } = await openStage(
      {
        main: [
          hands({ agent: 'one', task: 'A' }, { agent: 'two', task: 'B' }),
          done,
        ],
        one: work,
        two: work,
      },
      { agents: [worker('one'), worker('two')], runtime: { tools: [meet] } },
    )
    const paths = new Set<string>()
    const subscription = session.subscribe()
    const watching = (async () => {
      for await (const event of subscription) paths.add(event.path.join('/'))
    })()
    await session.send('Go.').result
    await session.close()
    await watching
    expect(told()).toContain('Task 1 succeeded.\\nWe met.')
    expect(told()).toContain('Task 2 succeeded.\\nWe met.')
    expect([...paths].sort()).toEqual(['main', 'main/one', 'main/two'])
  })

  test('what becomes of one task is a result, whatever it is', async () => {
    const { session, told, result } = await openStage(
      {
        main: [
          hands(
            { agent: 'bad', task: 'A' },
            { agent: 'nobody', task: 'B' },
            { agent: 'good', task: 'C' },
          ),
          done,
        ],
        bad: [],
        good: [{ text: 'Here.' }],
      },
      { agents: [worker('bad'), worker('good')] },
    )
    expect((await session.send('Go.').result).status).toBe('succeeded')
    expect(told()).toMatch(/Task 1 failed: /)
    expect(told()).toMatch(/Task 2 (failed|rejected): .*nobody/)
    expect(told()).toContain('Task 3 succeeded.\\nHere.')
    // Whoever has asked has something of it.
    expect(result()).toMatchObject({ isError: false })
  })

  test.each([
    [['bad'], 'tool'],
    [['nobody'], 'tool'],
    [['refused', 'refused'], 'denied'],
    [['refused', 'bad'], 'tool'],
  ])(
    'a call of which no task has succeeded is an error: %j',
    async (names, error) => {
      const hook = defineHook({
        name: 'refusing',
        on: subagentStart,
        match: { child: 'refused' },
        run: () => reject('Not now.'),
      })
      const { session, result } = await openStage(
        {
          main: [hands(...names.map((agent) => ({ agent, task: 'A' }))), done],
          bad: [],
        },
        {
          agents: [worker('bad'), worker('refused')],
          runtime: { hooks: [hook] },
        },
      )
      const ended: unknown[] = []
      const watching = (async () => {
        for await (const event of session.subscribe()) {
          if (event.type === 'tool-end') ended.push(event.result)
        }
      })()
      expect((await session.send('Go.').result).status).toBe('succeeded')
      await session.close()
      await watching
      expect(result()).toMatchObject({ isError: true })
      expect(ended).toMatchObject([{ isError: true, error }])
    },
  )

  test('what fails by a hook is told to the model without its name, and to whoever watches with it', async () => {
    const breaks = (
      point: typeof sessionStart | typeof turnPreTurn | typeof subagentStart,
      agent: string,
    ) =>
      defineHook({
        name: `secret-${agent}`,
        // They are alike in what this hook does with them.
        on: point as typeof subagentStart,
        onFailure: 'required',
        match: (input, scope) => scope.agent === agent || input.child === agent,
        run: () => {
          throw new Error('It broke.')
        },
      })
    const { session, told } = await openStage(
      {
        main: [
          hands(
            { agent: 'turn', task: 'A' },
            { agent: 'session', task: 'B' },
            { agent: 'start', task: 'C' },
          ),
          done,
        ],
      },
      {
        agents: [worker('turn'), worker('session'), worker('start')],
        runtime: {
          hooks: [
            breaks(turnPreTurn, 'turn'),
            breaks(sessionStart, 'session'),
            breaks(subagentStart, 'start'),
          ],
        },
      },
    )
    const errors: unknown[] = []
    const watching = (async () => {
      for await (const event of session.subscribe()) {
        if (event.type === 'turn-end' && event.error) errors.push(event.error)
      }
    })()
    await session.send('Go.').result
    await session.close()
    await watching
    const failed = (point: string) =>
      `is required at ${point}, and failed: threw.`
    expect(told()).toContain(`Task 1 failed: A hook ${failed('turn.pre_turn')}`)
    expect(told()).toContain(
      `Task 2 rejected: The session was refused: A hook ${failed('session.start')}`,
    )
    expect(told()).toContain(
      `Task 3 failed: A hook ${failed('subagent.start')}`,
    )
    expect(told()).not.toContain('secret')
    const message = `A hook ${failed('turn.pre_turn')}`
    expect(errors).toMatchObject([{ message, hook: 'secret-turn' }])
  })

  test('an agent that a hook fails to let in is refused to the model without the name of the hook', async () => {
    const breaks = defineHook({
      name: 'secret',
      on: agentRegister,
      run: ({ name }) => {
        if (name.includes('made')) throw new Error('It broke.')
        return proceed
      },
    })
    const made = { name: 'made', instructions: 'Help.' }
    const { session, told } = await openStage(
      { main: [hands({ agent: made, task: 'A' }), done] },
      { runtime: { hooks: [breaks] } },
    )
    await session.send('Go.').result
    expect(told()).toMatch(
      /was refused: A hook is required at agent.register, and failed: threw\./,
    )
    expect(told()).not.toContain('secret')
  })

  // Of the hooks of both, one would judge what the other changes afterwards.
  test.each(['waited for', 'in the background'])(
    'an agent whose hooks do not fit to those of its parent is refused without their names, %s',
    async (how) => {
      const writer = defineHook({
        name: 'secret-writer',
        on: toolPreCall,
        writes: true,
        priority: 200,
        run: () => proceed,
      })
      const gate = defineHook({
        name: 'secret-gate',
        on: toolPreCall,
        run: () => proceed,
      })
      const args = {
        tasks: [{ agent: 'one', task: 'A' }],
        background: how === 'in the background',
      }
      const { session, told } = await openStage(
        { main: [{ calls: [{ tool: 'delegate', args }] }, done], one: [] },
        {
          agents: [worker('one')],
          hooks: { one: [writer], main: [gate] },
          options: { hasBackground: true },
          runtime: { background: { begin: async () => {} } },
        },
      )
      await session.send('Go.').result
      expect(told()).toContain('"one\\" was refused: Its hooks do not fit')
      expect(told()).not.toContain('secret')
    },
  )

  test('a model may describe an agent, which has no more than its maker', async () => {
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: () => 'written',
    })
    const made = {
      name: 'helper',
      instructions: 'Help.',
      tools: ['write', 'delegate'],
    }
    const { session, models, runtime } = await openStage(
      {
        main: [
          hands({ agent: made, task: 'Try.' }),
          { calls: [{ tool: 'write' }] },
          { text: 'I could not.' },
          done,
        ],
      },
      { main: { tools: ['delegate'] }, runtime: { tools: [write] } },
    )
    await session.send('Go.').result
    const [, child] = models['main']?.requests ?? []
    expect(child?.tools.map(({ name }) => name)).toEqual(['delegate'])
    const refused = models['main']?.requests[2]?.messages.at(-1)
    expect(JSON.stringify(refused)).toContain('not available to you')
    expect(runtime.agents.map(({ name }) => name)).toEqual(['main'])
  })

  test('hooks of the runtime judge what the others do', async () => {
    const guard = defineHook({
      name: 'guard',
      on: toolGuard,
      match: { tool: 'write' },
      run: () => reject('Not even for you.'),
    })
    const ran: string[] = []
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: () => {
        ran.push('write')
        return 'written'
      },
    })
    const { session, models } = await openStage(
      {
        main: [hands({ agent: 'one', task: 'Write.' }), done],
        one: [{ calls: [{ tool: 'write' }] }, { text: 'No.' }],
      },
      {
        agents: [worker('one')],
        runtime: { tools: [write], hooks: [guard] },
      },
    )
    await session.send('Go.').result
    expect(ran).toEqual([])
    const told = models['one']?.requests[1]?.messages.at(-1)
    expect(JSON.stringify(told)).toContain('Not even for you.')
  })

  test.each([
    ['too many', { tasks: Array(9).fill({ agent: 'one', task: 'A' }) }],
    ['no', { tasks: [] }],
    ['nameless', { tasks: [{ task: 'A' }] }],
    ['empty', { tasks: [{ agent: 'one', task: '' }] }],
  ])('%s tasks are told to be wrong', async (_, args) => {
    const call = { tool: 'delegate', args: args as never }
    const { session, told } = await openStage({
      main: [{ calls: [call] }, done],
    })
    await session.send('Go.').result
    expect(told()).toContain('The arguments do not fit the tool')
  })

  test('agents may be kept from describing others', async () => {
    const { session, told } = await openStage(
      {
        main: [
          hands({ agent: { name: 'x', instructions: 'y' }, task: 'A' }),
          done,
        ],
      },
      { options: { mayDescribe: false } },
    )
    await session.send('Go.').result
    expect(told()).toContain('The arguments do not fit the tool')
  })
})

describe('in the background', () => {
  const background = { background: true }
  const handsOn = (...tasks: readonly object[]): ScriptStep => {
    const args = { tasks, ...background } as never
    return { calls: [{ tool: 'delegate', id: 'd1', args }] }
  }
  /** Keeps what is handed on, and does no more. */
  const keeping = (kept: BackgroundTask[]) => ({
    background: { begin: async (task: BackgroundTask) => void kept.push(task) },
  })

  test('is not offered where nobody would bring the result', async () => {
    const { session, models, told } = await openStage({
      main: [handsOn({ agent: 'one', task: 'A' }), done],
    })
    await session.send('Go.').result
    const [declared] = models['main']?.requests[0]?.tools ?? []
    expect(JSON.stringify(declared)).not.toContain('background')
    expect(told()).toContain('The arguments do not fit the tool')
    const opening = openStage(
      { main: [] },
      { options: { hasBackground: true } },
    )
    await expect(opening).rejects.toMatchObject({ code: 'invalid-config' })
  })

  test('a task is kept with whom it is for, and the turn goes on at once', async () => {
    const kept: BackgroundTask[] = []
    const { session, models, told, result } = await openStage(
      { main: [handsOn({ agent: 'one', task: 'A' }), done], one: [] },
      {
        options: { hasBackground: true },
        runtime: keeping(kept),
        agents: [worker('one')],
      },
    )
    const actor = { kind: 'user', id: 'ada' } as const
    const { status } = await session.send('Go.', { actor, depth: 2 }).result
    expect(status).toBe('succeeded')
    const [task] = kept
    expect(told()).toContain(`Task 1 has begun in the background`)
    expect(result()).toMatchObject({ isError: false })
    expect(told()).toContain(task?.id)
    expect(task).toMatchObject({
      agent: 'one',
      parent: { sessions: ['s'], agents: ['main'] },
      task: { text: 'A', context: [], depth: 2, actor },
    })
    expect(models['one']?.requests).toEqual([])
  })

  test.each([
    ['one that is described', { name: 'x', instructions: 'y' }, 'made for'],
    ['one that nobody knows', 'nobody', 'no agent'],
    ['one that it may not ask', 'other', 'may not hand on work'],
  ])('%s is refused, with the reason', async (_, agent, reason) => {
    const kept: BackgroundTask[] = []
    const { session, told, result } = await openStage(
      { main: [handsOn({ agent, task: 'A' }), done] },
      {
        options: { hasBackground: true },
        runtime: keeping(kept),
        agents: [worker('other')],
        main: { subagents: ['one', 'x', 'nobody'] },
      },
    )
    await session.send('Go.').result
    expect(told()).toContain('Task 1 was refused')
    expect(result()).toMatchObject({ isError: true })
    expect(told()).toContain(reason)
    expect(kept).toEqual([])
  })

  test('who is waited for waits, too', async () => {
    const kept: BackgroundTask[] = []
    const { session, models } = await openStage(
      {
        main: [hands({ agent: 'one', task: 'A' }), done],
        one: [handsOn({ agent: 'one', task: 'B' }), done],
      },
      {
        options: { hasBackground: true },
        runtime: keeping(kept),
        agents: [worker('one')],
      },
    )
    await session.send('Go.').result
    const last = models['one']?.requests[1]?.messages.at(-1)
    expect(JSON.stringify(last)).toContain('Another agent waits for you')
    expect(kept).toEqual([])
  })
})

describe('what an agent is told of others', () => {
  const systemOf = (request?: { readonly messages: readonly unknown[] }) =>
    JSON.stringify(request?.messages[0] ?? '')

  test('is who there is, within its scope, and stays true', async () => {
    const { session, models, runtime } = await openStage(
      { main: [done, done] },
      {
        agents: [
          worker('cook', 'Cooks.'),
          worker('singer', 'Sings.\nLoud <b>'),
          worker('ghost'),
        ],
        main: { subagents: ['cook', 'singer', 'dancer'] },
      },
    )
    await runtime.register(worker('dancer', 'Dances.'))
    await runtime.register(worker('spy', 'Spies.'))
    await runtime.unregister('cook')
    // Each change has had the others built again.
    await runtime.drain()
    await session.send('Go.').result
    const system = systemOf(models['main']?.requests[0])
    expect(system).toContain('- dancer: Dances.\\n- singer: Sings. Loud b ')
    expect(system).not.toContain('spy')
    expect(system).not.toContain('cook:')
    expect(system).not.toContain('ghost')
  })

  test('is nothing where it may hand on nothing, and there is no tool', async () => {
    const { session, models } = await openStage(
      { main: [done] },
      { agents: [worker('cook', 'Cooks.')], main: { subagents: [] } },
    )
    await session.send('Go.').result
    const [request] = models['main']?.requests ?? []
    expect(request?.tools).toEqual([])
    expect(systemOf(request)).not.toContain('cook')
    expect(systemOf(request)).toContain('agents: none')
  })
})

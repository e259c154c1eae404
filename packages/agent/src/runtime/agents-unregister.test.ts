import { defineCell, defineHook, type Hook, proceed } from 'hookline'
import {
  agentRegister,
  agentUnregister,
  sessionEnd,
  sessionStart,
  subagentStart,
  subagentStop,
  turnPostTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../testing/index.ts'
import { expectPaired } from './fixtures/paired.ts'
import { gate, mainConfig, openStage } from './fixtures/stage.ts'
import { endless, tool } from './fixtures/tools.ts'

/** Writes down who is registered and unregistered. */
function census() {
  const log: string[] = []
  const hooks: readonly Hook[] = [
    defineHook({
      name: 'came',
      on: agentRegister,
      run: ({ name }) => {
        log.push(`+${name}`)
        return proceed
      },
    }),
    defineHook({
      name: 'went',
      on: agentUnregister,
      run: ({ name }) => {
        log.push(`-${name}`)
        return proceed
      },
    }),
  ]
  return { log, hooks }
}

const helper = { name: 'helper', model: 'helper', instructions: '' }

const delegating = tool('delegate', async (_, context) => {
  const { status } = await context.delegate({ agent: helper, task: 'Help.' })
  return status
})

const callDelegate = [{ calls: [{ tool: 'delegate' }] }, { text: 'Done.' }]

describe('unregistering an agent', () => {
  test('it takes no new turns while its running ones end', async () => {
    const started = gate()
    const ended = gate()
    const slow = tool('slow', async () => {
      await started.pass()
      return 'done'
    })
    const leaving = defineHook({
      name: 'leaving',
      on: agentUnregister,
      run: async () => {
        await ended.pass()
        return proceed
      },
    })
    const { runtime, session } = await openStage(
      [{ calls: [{ tool: 'slow' }] }],
      { tools: [slow], hooks: [leaving] },
    )
    const { result } = session.send('Go.')
    await started.reached
    const gone = runtime.unregister('main')
    expect(() => session.send('More.')).toThrow('takes no more turns')
    await expect(runtime.openSession({ agent: 'main' })).rejects.toMatchObject({
      code: 'unknown-agent',
    })
    started.open()
    expect((await result).status).toBe('cancelled')
    await ended.reached
    ended.open()
    await gone
    expect(runtime.agents).toEqual([])
  })

  test('a running tool is told to stop and has time to', async () => {
    const running = gate()
    const stage = await openStage([{ calls: [{ tool: 'work' }] }], {
      tools: [endless('work', () => void running.pass())],
    })
    const { result } = stage.session.send('Go.')
    await running.reached
    await stage.runtime.unregister('main')
    expect((await result).status).toBe('cancelled')
    expectPaired(stage.session.messages)
  })

  test('a tool that does not stop is given up after the grace', async () => {
    const running = gate()
    const stuck = tool('stuck', () => running.pass().then(() => 'late'))
    const stage = await openStage([{ calls: [{ tool: 'stuck' }] }], {
      tools: [stuck],
      graceMs: 2_000,
    })
    const { result } = stage.session.send('Go.')
    await running.reached
    const gone = stage.runtime.unregister('main')
    await stage.clock.advance(2_000)
    await gone
    expect((await result).status).toBe('cancelled')
    expectPaired(stage.session.messages)
    running.open()
  })

  test('its hooks are asked when its turns have ended, in descending order', async () => {
    const log: string[] = []
    const note = (name: string, priority: number) =>
      defineHook({
        name,
        on: agentUnregister,
        priority,
        run: () => {
          log.push(name)
          return proceed
        },
      })
    const after = defineHook({
      name: 'turn',
      on: turnPostTurn,
      run: ({ status }) => {
        log.push(status)
        return proceed
      },
    })
    const running = gate()
    const { runtime, session } = await openStage(
      [{ calls: [{ tool: 'work' }] }],
      {
        tools: [endless('work', () => void running.pass())],
        hooks: [note('early', 1), note('late', 9), after],
      },
    )
    session.send('Go.')
    await running.reached
    await runtime.unregister('main')
    expect(log).toEqual(['cancelled', 'late', 'early'])
  })

  test('it is visible until its hooks have let go, and may come again after', async () => {
    const seen: number[] = []
    const leaving = defineHook({
      name: 'leaving',
      on: agentUnregister,
      run: () => {
        seen.push(runtime.agents.length)
        return proceed
      },
    })
    const { runtime } = await openStage([], { hooks: [leaving] })
    await runtime.unregister('main')
    expect(seen).toEqual([1])
    expect(runtime.agents).toEqual([])
    expect(await runtime.register(mainConfig)).toEqual(mainConfig)
  })

  test('a hook that fails to let go does not keep the agent', async () => {
    const stuck = defineHook({
      name: 'stuck',
      on: agentUnregister,
      run: () => {
        throw new Error('stuck')
      },
    })
    const { runtime } = await openStage([], { hooks: [stuck] })
    await runtime.unregister('main')
    expect(runtime.agents).toEqual([])
  })

  test('what hooks kept for the agent is gone with it', async () => {
    const visits = defineCell('visits', { initial: () => 0, scope: 'agent' })
    const seen: number[] = []
    const counting = defineHook({
      name: 'counting',
      on: agentRegister,
      run: async (_, { state }) => {
        seen.push(await state.update(visits, (count) => count + 1))
        return proceed
      },
    })
    const { runtime } = await openStage([], { hooks: [counting] })
    await runtime.unregister('main')
    await runtime.register(mainConfig)
    expect(seen).toEqual([1, 1])
  })

  test('no session of it is ended, as it may be resumed', async () => {
    const log: string[] = []
    const ended = defineHook({
      name: 'ended',
      on: sessionEnd,
      run: ({ reason }) => {
        log.push(reason)
        return proceed
      },
    })
    const { runtime } = await openStage([], { hooks: [ended] })
    await runtime.unregister('main')
    expect(log).toEqual([])
  })

  test('an agent that works for another is cancelled there too', async () => {
    const { log, hooks } = census()
    const working = gate()
    const ask = tool('ask', async (_, context) => {
      const done = await context.delegate({ agent: 'expert', task: 'Help.' })
      log.push(done.status)
      return done.status
    })
    const { runtime, session } = await openStage(
      [
        { calls: [{ tool: 'ask' }] },
        { calls: [{ tool: 'work' }] },
        { text: 'Never mind.' },
      ],
      { tools: [ask, endless('work', () => void working.pass())], hooks },
    )
    await runtime.register({ ...mainConfig, name: 'expert' })
    const { result } = session.send('Go.')
    await working.reached
    await runtime.unregister('expert')
    expect(log).toEqual(['+main', '+expert', 'cancelled', '-expert'])
    session.cancel()
    await result
  })
})

describe('agents come and go in pairs', () => {
  const failing = (name: string, on: typeof sessionEnd) =>
    defineHook({
      name,
      on,
      onFailure: 'required',
      match: { agent: 'helper' },
      run: () => {
        throw new Error('broken')
      },
    })

  const cases: readonly [string, readonly Hook[], string][] = [
    ['when a task is done', [], 'text'],
    ['when a task fails', [], 'error'],
    [
      'when subagent.stop fails',
      [
        defineHook({
          name: 'stop',
          on: subagentStop,
          onFailure: 'required',
          run: () => {
            throw new Error('broken')
          },
        }),
      ],
      'text',
    ],
    [
      'when subagent.start fails',
      [
        defineHook({
          name: 'start',
          on: subagentStart,
          onFailure: 'required',
          run: () => {
            throw new Error('broken')
          },
        }),
      ],
      'text',
    ],
    ['when session.end fails', [failing('end', sessionEnd)], 'text'],
  ]

  test.each(cases)('%s', async (_, extra, how) => {
    const { log, hooks } = census()
    const reply =
      how === 'text'
        ? { text: 'Helped.' }
        : { error: { code: 'invalid_request' as const } }
    const { runtime, say } = await openStage(callDelegate, {
      tools: [delegating],
      hooks: [...hooks, ...extra],
      models: { helper: scriptedModel([reply]) },
    })
    await say('Go.')
    expect(runtime.agents.map(({ name }) => name)).toEqual(['main'])
    expect(log.filter((line) => line === '+helper')).toHaveLength(
      log.filter((line) => line === '-helper').length,
    )
  })

  test('when a task is cancelled', async () => {
    const { log, hooks } = census()
    const working = gate()
    const { runtime, session } = await openStage(
      [{ calls: [{ tool: 'delegate' }] }, { calls: [{ tool: 'work' }] }],
      {
        tools: [delegating, endless('work', () => void working.pass())],
        hooks,
      },
    )
    const { result } = session.send('Go.')
    await working.reached
    session.cancel()
    await result
    await runtime.drain()
    expect(log).toEqual(['+main', '+helper', '-helper'])
  })

  test('when a sub-agent is refused while it is registered', async () => {
    const { log, hooks } = census()
    const refusing = defineHook({
      name: 'refusing',
      on: agentRegister,
      priority: 200,
      match: { agent: 'helper' },
      run: () => {
        throw new Error('full')
      },
    })
    const { say } = await openStage(callDelegate, {
      tools: [delegating],
      hooks: [...hooks, refusing],
    })
    await say('Go.')
    expect(log).toEqual(['+main', '+helper', '-helper'])
  })

  test('when the runtime closes', async () => {
    const { log, hooks } = census()
    const { runtime } = await openStage([], { hooks })
    await runtime.register({ ...mainConfig, name: 'other' })
    await runtime.close()
    expect(log).toEqual(['+main', '+other', '-main', '-other'])
    expect(runtime.agents).toEqual([])
  })

  test('a sub-agent of one task knows nothing of an earlier one', async () => {
    const visits = defineCell('visits', { initial: () => 0, scope: 'agent' })
    const seen: number[] = []
    const counting = defineHook({
      name: 'counting',
      on: agentRegister,
      match: { agent: 'helper' },
      run: async (_, { state }) => {
        seen.push(await state.update(visits, (count) => count + 1))
        return proceed
      },
    })
    const { say } = await openStage(
      [
        { calls: [{ tool: 'delegate' }] },
        { text: 'Helped.' },
        { calls: [{ tool: 'delegate' }] },
        { text: 'Helped.' },
        { text: 'Done.' },
      ],
      { tools: [delegating], hooks: [counting] },
    )
    await say('Go.')
    expect(seen).toEqual([1, 1])
  })

  test('a session of a sub-agent ends only if it was started', async () => {
    const log: string[] = []
    const note = (on: typeof sessionStart | typeof sessionEnd) =>
      defineHook({
        name: on.name,
        on: on as typeof sessionEnd,
        run: (_, { scope }) => {
          log.push(`${on.name} ${scope.agent}`)
          return proceed
        },
      })
    const { say, runtime } = await openStage(
      [
        { calls: [{ tool: 'delegate' }] },
        { text: 'Helped.' },
        { text: 'Done.' },
      ],
      { tools: [delegating], hooks: [note(sessionStart), note(sessionEnd)] },
    )
    await say('Go.')
    await runtime.close()
    const of = (what: string) => log.filter((line) => line.startsWith(what))
    expect(of('session.start')).toHaveLength(of('session.end').length)
  })
})

test('what comes after a turn still has its agent when the runtime is closed', async () => {
  const { log, hooks } = census()
  const after = defineHook({
    name: 'after',
    on: turnPostTurn,
    run: () => {
      log.push('after the turn')
      return proceed
    },
  })
  const { session, runtime } = await openStage([{ text: 'Done.' }], {
    hooks: [...hooks, after],
  })
  await session.send('Go.').result
  await runtime.close()
  expect(log).toEqual(['+main', 'after the turn', '-main'])
})

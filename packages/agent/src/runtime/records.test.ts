import {
  type Contributed,
  createMemoryRecords,
  defineHook,
  type Hook,
  proceed,
} from 'hookline'
import {
  type AgentScope,
  agentRegister,
  audit,
  event,
  job,
  notice,
  sessionEnd,
  sessionStart,
  turnInput,
  turnPostTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { eventsOf, openStage } from './fixtures/stage.ts'

const hello = { text: 'Hello.' }

function auditing(on: Hook['on']): Hook {
  return {
    name: `auditing-${on.name}`,
    on,
    capabilities: ['audit', 'job'],
    run: (_, context) => {
      context.contribute(audit({ event: on.name }))
      context.contribute(job({ id: 'index', payload: on.name }))
      return proceed
    },
  }
}

describe('a record of a hook', () => {
  test('says in which session and turn it was', async () => {
    const records = createMemoryRecords()
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: () => proceed,
    })
    const { say, session } = await openStage([hello], {
      hooks: [looking],
      engine: { records },
    })
    const { turnId } = await say('Hi.')
    expect(records.all()).toMatchObject([
      {
        hook: 'looking',
        point: 'turn.input',
        state: 'completed',
        scope: { agent: 'main', sessionId: session.id, turnId, turn: 1 },
      },
    ])
  })

  test('at event there is one for each hook and turn', async () => {
    const records = createMemoryRecords()
    const watching = defineHook({
      name: 'watching',
      on: event,
      execution: 'record',
      run: () => {},
    })
    const { say } = await openStage([hello, hello], {
      hooks: [watching],
      engine: { records },
    })
    await say('Hi.')
    await say('Hi.')
    expect(records.all().map(({ hook }) => hook)).toEqual([
      'watching',
      'watching',
    ])
  })
})

describe('a hook that users may see', () => {
  const visible = defineHook({
    name: 'visible',
    on: turnInput,
    visibility: 'user_visible',
    run: () => proceed,
  })

  test('is told when it begins and when it ends', async () => {
    const { say, events } = await openStage([hello], { hooks: [visible] })
    await say('Hi.')
    expect(eventsOf(events, 'hook-start')).toMatchObject([
      { hook: 'visible', point: 'turn.input' },
    ])
    expect(eventsOf(events, 'hook-end')).toMatchObject([
      { hook: 'visible', point: 'turn.input', answer: 'proceed' },
    ])
  })

  test.each(['internal', 'debug', 'user_audit'] as const)(
    'is none that is %s',
    async (visibility) => {
      const hooks = [{ ...visible, visibility }]
      const { say, events } = await openStage([hello], { hooks })
      await say('Hi.')
      expect(eventsOf(events, 'hook-start')).toEqual([])
      expect(eventsOf(events, 'hook-end')).toEqual([])
    },
  )

  test('is told also when it was swapped in', async () => {
    const { say, events, runtime } = await openStage([hello, hello])
    await say('Hi.')
    runtime.swapHooks([visible])
    await say('Hi.')
    expect(eventsOf(events, 'hook-start')).toHaveLength(1)
  })
})

test('a notice is an event, and the model never sees it', async () => {
  const noticing = defineHook({
    name: 'noticing',
    on: turnInput,
    capabilities: ['notice'],
    run: (_, { contribute }) => {
      contribute(notice({ message: 'Saved.', level: 'info' }))
      return proceed
    },
  })
  const { say, events, model, session } = await openStage([hello], {
    hooks: [noticing],
  })
  await say('Hi.')
  expect(eventsOf(events, 'hook-delta')).toMatchObject([
    { hook: 'noticing', point: 'turn.input', notice: { message: 'Saved.' } },
  ])
  expect(JSON.stringify(model.requests)).not.toContain('Saved.')
  expect(JSON.stringify(session.messages)).not.toContain('Saved.')
})

describe('audit entries and jobs are collected', () => {
  /** Everything that was collected, as `kind by point`. */
  async function collected(...hooks: readonly Hook[]) {
    const all: [Contributed, AgentScope][] = []
    const stage = await openStage([hello], {
      hooks,
      collect: (one, scope) => all.push([one, scope]),
    })
    const { turnId } = await stage.say('Hi.')
    await stage.close()
    return { all, turnId, sessionId: stage.session.id }
  }

  test.each([
    ['turn.input', turnInput],
    ['turn.post_turn', turnPostTurn],
  ] as const)('from %s, with the moment', async (name, on) => {
    const { all, turnId, sessionId } = await collected(auditing(on))
    expect(all.map(([{ kind, by }]) => [kind, by])).toEqual([
      ['audit', `auditing-${name}`],
      ['job', `auditing-${name}`],
    ])
    expect(all.map(([, scope]) => scope)).toMatchObject([
      { turnId, sessionId, agent: 'main' },
      { turnId, sessionId, agent: 'main' },
    ])
  })

  test.each([
    ['agent.register', agentRegister],
    ['session.start', sessionStart],
    ['session.end', sessionEnd],
  ] as const)('from %s', async (_, on) => {
    const { all } = await collected(auditing(on))
    expect(all.map(([{ kind }]) => kind)).toEqual(['audit', 'job'])
  })

  test('from a hook that nobody waits for, with the moment', async () => {
    const observing = defineHook({
      name: 'observing',
      on: turnInput,
      execution: 'record',
      capabilities: ['audit'],
      run: (_, { contribute }) => contribute(audit({ event: 'seen' })),
    })
    const { all, turnId } = await collected(observing)
    expect(all).toMatchObject([[{ kind: 'audit' }, { turnId }]])
  })
})

test('a hook in the background runs when the turn is over', async () => {
  const ran: string[] = []
  const indexing = defineHook({
    name: 'indexing',
    on: turnPostTurn,
    execution: 'background',
    run: ({ status }) => void ran.push(status),
  })
  const { say } = await openStage([hello], { hooks: [indexing] })
  await say('Hi.')
  expect(ran).toEqual(['succeeded'])
})

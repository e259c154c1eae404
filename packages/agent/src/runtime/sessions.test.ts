import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  promptContext,
  sessionEnd,
  sessionStart,
  turnInput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  createMemoryStore,
  createRuntime,
  type SessionStore,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { brief, expectPaired } from './fixtures/paired.ts'
import {
  gate,
  mainConfig,
  openStage,
  type StageOptions,
  soon,
} from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

const hello = { text: 'Hello.' }

function starting(log: string[]) {
  return defineHook({
    name: 'starting',
    on: sessionStart,
    run: ({ source, cwd }, { scope }) => {
      log.push(`${source} ${scope.sessionId} ${cwd}`)
      return proceed
    },
  })
}

function ending(log: string[]) {
  return defineHook({
    name: 'ending',
    on: sessionEnd,
    run: ({ reason }, { scope }) => {
      log.push(`${reason} ${scope.sessionId}`)
      return proceed
    },
  })
}

describe('opening', () => {
  test('a new session begins with nothing, and hooks are told that it is new', async () => {
    const log: string[] = []
    const { session, runtime } = await openStage([], {
      hooks: [starting(log)],
      session: { id: 'one', cwd: '/work' },
    })
    expect(session).toMatchObject({ id: 'one', cwd: '/work', agent: 'main' })
    expect(session.messages).toEqual([])
    expect(log).toEqual(['new one /work'])
    expect(runtime.session('one')).toBe(session)
  })

  test('a session that is to be kept already is not begun, and no hook is told of it', async () => {
    const log: string[] = []
    const store = createMemoryStore()
    const { runtime, session } = await openStage([], {
      store,
      hooks: [starting(log)],
      session: { id: 'one' },
    })
    const kept = { agent: 'main', isKept: true }
    const none = runtime.openSession({ ...kept, id: 'two' })
    await expect(none).rejects.toMatchObject({ code: 'unknown-session' })
    await session.detach()
    expect(await runtime.openSession({ ...kept, id: 'one' })).toMatchObject({
      id: 'one',
    })
    expect(store.load('two')).toBeUndefined()
    expect(log).toEqual(['new one ', 'resume one '])
  })

  test('a reject at session.start refuses the session', async () => {
    const refusing = defineHook({
      name: 'refusing',
      on: sessionStart,
      run: () => reject('Closed today.'),
    })
    const store = createMemoryStore()
    const refused = openStage([], {
      hooks: [refusing],
      store,
      session: { id: 'one' },
    })
    await expect(refused).rejects.toMatchObject({ code: 'session-refused' })
    await expect(refused).rejects.toThrow('Closed today.')
    expect(await store.load('one')).toBeUndefined()
  })

  test.each(['closed', 'required'] as const)(
    'a hook at session.start that fails %s refuses the session',
    async (onFailure) => {
      const broken = defineHook({
        name: 'broken',
        on: sessionStart,
        onFailure,
        run: () => {
          throw new Error('no disk')
        },
      })
      const refused = openStage([], { hooks: [broken] })
      await expect(refused).rejects.toMatchObject({ code: 'session-refused' })
    },
  )

  test('a session that is open is not opened twice', async () => {
    const { runtime } = await openStage([], { session: { id: 'one' } })
    await expect(
      runtime.openSession({ agent: 'main', id: 'one' }),
    ).rejects.toMatchObject({ code: 'session-exists' })
  })

  test('not even at the same time', async () => {
    const { runtime } = await openStage([])
    const open = () => runtime.openSession({ agent: 'main', id: 'one' })
    const settled = await Promise.allSettled([open(), open()])
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ])
  })

  test('what a hook says at session.start reaches the first turn only, and no history', async () => {
    const telling = defineHook({
      name: 'telling',
      on: sessionStart,
      capabilities: ['context'],
      run: (_, { contribute }) => {
        contribute(
          promptContext({ id: 'day', domain: 'time', content: 'Monday' }),
        )
        return proceed
      },
    })
    const { say, model, session } = await openStage([hello, hello], {
      hooks: [telling],
    })
    await say('One.')
    await say('Two.')
    const told = model.requests.map(({ messages }) =>
      brief(messages).join().includes('Monday'),
    )
    expect(told).toEqual([true, false])
    expect(brief(session.messages).join()).not.toContain('Monday')
  })

  test('a first turn that was refused has not used it up', async () => {
    const telling = defineHook({
      name: 'telling',
      on: sessionStart,
      capabilities: ['context'],
      run: (_, { contribute }) => {
        contribute(
          promptContext({ id: 'day', domain: 'time', content: 'Monday' }),
        )
        return proceed
      },
    })
    const refusing = defineHook({
      name: 'refusing',
      on: turnInput,
      run: ({ content }) =>
        JSON.stringify(content).includes('bad') ? reject('Bad.') : proceed,
    })
    const { say, model } = await openStage([hello], {
      hooks: [telling, refusing],
    })
    await say('bad')
    await say('good')
    expect(brief(model.requests[0]?.messages ?? []).join()).toContain('Monday')
  })
})

describe('closing', () => {
  test('session.end is asked once, on close, with the reason', async () => {
    const log: string[] = []
    const { say, session, runtime } = await openStage([hello], {
      hooks: [ending(log)],
      session: { id: 'one' },
    })
    await say('Hi.')
    expect(log).toEqual([])
    await session.close('expired')
    await session.close()
    expect(log).toEqual(['expired one'])
    expect(runtime.session('one')).toBeUndefined()
  })

  test('a session that is closed takes no more turns', async () => {
    const { session } = await openStage([])
    await session.close()
    const closed = expect.objectContaining({ code: 'session-closed' })
    expect(() => session.send('Hi.')).toThrow(closed)
    expect(() => session.steer('Hi.')).toThrow(closed)
    expect(() => session.compact()).toThrow(closed)
  })

  test('closing cancels what runs and what waits', async () => {
    const never = new Promise(() => {})
    const { session } = await openStage([{ waitFor: never }, hello])
    const turns = [session.send('One.'), session.send('Two.')]
    await session.close()
    const results = await Promise.all(turns.map(({ result }) => result))
    expect(results.map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ])
  })

  test('closing does not wait for a summary that nobody needs any more', async () => {
    const never = new Promise(() => {})
    const { session, say } = await openStage(
      [hello, hello, hello, { waitFor: never }],
      { config: { compaction: { keepMessages: 1 } } },
    )
    for (const text of ['One.', 'Two.', 'Three.']) await say(text)
    const compacted = session.compact().catch(() => 'cancelled')
    expect(await soon(session.close())).toBeUndefined()
    expect(await soon(compacted)).not.toBe('done')
  })
})

describe('detaching', () => {
  test('cancels what runs, ends nothing for good, and lets the session go on', async () => {
    const log: string[] = []
    const { pass, reached } = gate()
    const { session, runtime } = await openStage(
      (_, call) => (call === 1 ? pass().then(() => hello) : hello),
      {
        hooks: [starting(log), ending(log)],
        store: createMemoryStore(),
        session: { id: 'one' },
      },
    )
    const { result } = session.send('One.')
    await reached
    await session.detach()
    expect((await result).status).toBe('cancelled')
    expect(() => session.send('Two.')).toThrow('takes no more turns')
    const again = await runtime.openSession({ agent: 'main', id: 'one' })
    expect((await again.send('Two.').result).text).toBe('Hello.')
    expect(log).toEqual(['new one ', 'resume one '])
  })
})

describe('going on in another runtime with the same store', () => {
  const script = [
    { calls: [{ tool: 'read' }] },
    hello,
    { text: 'Again.' },
    { text: 'More.' },
  ]

  async function twice(options: StageOptions = {}) {
    const store = createMemoryStore()
    const tools = [tool('read')]
    const session = { id: 'one', cwd: '/work' }
    const first = await openStage(script.slice(0, 2), {
      ...options,
      ...{ store, tools, session },
    })
    await first.say('Hi.')
    const second = await openStage(script.slice(2), {
      ...options,
      ...{ store, tools, session: { id: 'one' } },
    })
    return { first, second, store }
  }

  test('its history is there, and the model is shown it', async () => {
    const { first, second } = await twice()
    expect(second.session.messages).toEqual(first.session.messages)
    await second.say('And?')
    expectPaired(second.session.messages)
    expect(second.model.requests[0]?.messages.slice(0, 4)).toEqual(
      first.session.messages,
    )
  })

  test('turns count on, and its working folder is the same', async () => {
    const seen: unknown[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: (_, { scope }) => {
        seen.push([scope.turn, scope.cwd])
        return proceed
      },
    })
    const { second } = await twice({ hooks: [looking] })
    await second.say('And?')
    await second.say('And?')
    expect(seen).toEqual([
      [1, '/work'],
      [2, '/work'],
      [3, '/work'],
    ])
  })

  test('hooks are told that it is resumed, and not that it had ended', async () => {
    const log: string[] = []
    await twice({ hooks: [starting(log), ending(log)] })
    expect(log).toEqual(['new one /work', 'resume one /work'])
  })

  test('it belongs to its agent', async () => {
    const { store } = await twice()
    const runtime = await another(store)
    await expect(
      runtime.openSession({ agent: 'other', id: 'one' }),
    ).rejects.toMatchObject({ code: 'unknown-session' })
  })

  /** A runtime that has none of it open. */
  async function another(store: SessionStore, hooks: readonly Hook[] = []) {
    const runtime = createRuntime({
      ...{ store, hooks },
      models: { resolve: () => scriptedModel([]) },
    })
    for (const name of ['main', 'other']) {
      await runtime.register({ ...mainConfig, name })
    }
    return runtime
  }

  test.each([
    ['/work', '/work/', 'stays in "/work"'],
    ['/work', '', 'stays in "/work"'],
    [undefined, '/work', 'begun without a folder'],
  ])(
    'one that is kept in %j is not opened in %j, and no hook is told of it',
    async (first, cwd, why) => {
      const store = createMemoryStore()
      const session = first === undefined ? {} : { cwd: first }
      await openStage([], { store, session: { ...session, id: 'one' } })
      const log: string[] = []
      const runtime = await another(store, [starting(log)])
      const opened = runtime.openSession({ agent: 'main', id: 'one', cwd })
      await expect(opened).rejects.toMatchObject({ code: 'unknown-session' })
      await expect(opened).rejects.toThrow(why)
      expect(log).toEqual([])
    },
  )

  test.each([['/work'], [''], [undefined]])(
    'one that is kept in %j is opened in the same, or in none that is named',
    async (first) => {
      const store = createMemoryStore()
      const place = first === undefined ? {} : { cwd: first }
      await openStage([], { store, session: { ...place, id: 'one' } })
      const given = { agent: 'main', id: 'one' }
      for (const cwd of [{}, { cwd: first ?? '' }]) {
        const runtime = await another(store)
        const session = await runtime.openSession({ ...given, ...cwd })
        expect(session.cwd).toBe(first ?? '')
        await runtime.close()
      }
    },
  )

  test('one that is refused is let go of, so that it can go on elsewhere', async () => {
    const kept = createMemoryStore()
    await openStage([], { store: kept, session: { id: 'one', cwd: '/work' } })
    const released: string[] = []
    const release = (id: string) => void released.push(id)
    const store = { ...kept, release }
    const id = 'one'
    const refusing = defineHook({
      name: 'refusing',
      on: sessionStart,
      run: () => reject('Closed today.'),
    })
    const runtime = await another(store, [refusing])
    for (const options of [
      { id, agent: 'other' },
      { id, agent: 'main', cwd: '/else' },
      { id, agent: 'main' },
    ]) {
      await expect(runtime.openSession(options)).rejects.toThrow()
    }
    expect(released).toEqual([id, id, id])
    await expect(
      runtime.openSession({ id: 'new', agent: 'main' }),
    ).rejects.toThrow('Closed today.')
    expect(released).toHaveLength(3)
  })

  test('a turn that failed has left the same there as here', async () => {
    const store = createMemoryStore()
    const { say, session } = await openStage(
      [{ calls: [{ tool: 'read' }] }, { error: { code: 'invalid_request' } }],
      { store, tools: [tool('read')], session: { id: 'one' } },
    )
    expect((await say('Hi.')).status).toBe('failed')
    expect((await store.load('one'))?.messages).toEqual(session.messages)
    expectPaired(session.messages)
  })
})

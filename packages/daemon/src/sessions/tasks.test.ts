import { defineHook, keepGoing, proceed, reject } from 'hookline'
import { sessionStart, subagentStart, subagentStop } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf, type OpenedHost } from './fixtures/open-host.ts'

const timeout = 60_000
const soon = { timeout: 30_000, interval: 20 }
const context = contextOf()

/** All that is said in a session; of one role, if asked for. */
async function textsOf(
  { service }: OpenedHost,
  sessionId: string,
  by?: string,
) {
  const { messages } = await service.listMessages({ sessionId }, context)
  return messages
    .filter(({ role }) => by === undefined || role === by)
    .map(({ content }) => JSON.stringify(content))
}

async function resultsOf(host: OpenedHost, sessionId: string) {
  const texts = await textsOf(host, sessionId, 'user')
  return texts.filter((text) => text.includes('<event name=\\"delegated.'))
}

async function begin(host: OpenedHost, agent = 'main') {
  const { id } = await host.service.createSession({ agent }, context)
  const say = (input: string) =>
    host.service.send({ sessionId: id, input, wait: true }, context)
  return { id, say, results: () => resultsOf(host, id) }
}

async function childrenOf({ service }: OpenedHost, parentId: string) {
  return (await service.listSessions({ parentId }, context)).items
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  test('what is handed on is answered at once, and its result comes as a turn of its own, once', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say, results } = await begin(host)
    expect(await say('hand helper: Hello.')).toMatchObject({
      status: 'succeeded',
      text: 'Done: hand helper: Hello.',
    })
    await expect.poll(results, soon).toHaveLength(1)
    const [told] = await results()
    expect(told).toContain('A task that you handed on in the background')
    expect(told).toContain('\\"status\\": \\"succeeded\\"')
    expect(told).toContain('\\"reply\\": \\"You said: Hello.\\"')
    const [child] = await childrenOf(host, id)
    expect(told).toContain(`\\"task\\": \\"${child?.id}\\"`)
    await expect
      .poll(async () => (await childrenOf(host, id))[0]?.endReason, soon)
      .toBe('closed')
    await expect.poll(() => host.store.tasks.open(10), soon).toEqual([])
    // The result is told by then; its turn may still run.
    const statuses = async () => {
      const listed = await host.service.listTurns({ sessionId: id }, context)
      return listed.items.map(({ status }) => status)
    }
    await expect.poll(statuses, soon).toEqual(['succeeded', 'succeeded'])
    // Nothing is left that could tell it once more.
    const wakes = await host.service.listWakes({}, context)
    expect(wakes.items).toMatchObject([{ fired: 1, isOnce: true }])
  })

  test('whoever watches sees what others do for the session, with whom it is for', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    world.openGate()
    const { id, say } = await begin(host)
    const live = await watch(host, id)
    await say('wait helper: slow')
    await say('hand helper: slow')
    const all = (items: readonly StreamItem[]) =>
      items.flatMap((item) =>
        item.type === 'event' && item.event.type === 'tool-start'
          ? [{ ...item.event, tool: item.event.call.tool }]
          : [],
      )
    const slow = () => all(live.items).filter(({ tool }) => tool === 'slow')
    await expect.poll(slow, soon).toHaveLength(2)
    for (const { path, within, sessionId } of slow()) {
      expect({ path, within }).toEqual({
        path: ['main', 'helper'],
        within: [id],
      })
      expect(sessionId).not.toBe(id)
    }
    await expect.poll(() => host.store.tasks.open(10), soon).toEqual([])
    await live.end()
    // Who comes later is told the same of the log.
    const later = await watch(host, id, { fromStart: true })
    const shown = () => all(later.items).map(({ seq, tool }) => [seq, tool])
    await expect
      .poll(shown, soon)
      .toEqual(all(live.items).map(({ seq, tool }) => [seq, tool]))
    await later.end()
  })

  test('closing a session cancels what it has handed on; cancelling its turn does not', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say } = await begin(host)
    await say('hand helper: slow')
    await expect.poll(world.effects, soon).toHaveLength(1)
    await host.service.cancel({ sessionId: id }, context)
    const [child] = await childrenOf(host, id)
    const taskId = child?.id ?? ''
    expect(await host.store.tasks.get(taskId)).toMatchObject({ isOver: false })
    await host.service.closeSession({ sessionId: id }, context)
    await expect
      .poll(async () => (await childrenOf(host, id))[0]?.endReason, soon)
      .toBe('closed')
    const turns = await host.service.listTurns({ sessionId: taskId }, context)
    expect(turns.items.map(({ status }) => status)).toEqual(['cancelled'])
    await expect.poll(() => host.store.tasks.open(10), soon).toEqual([])
    expect((await host.service.listWakes({}, context)).items).toEqual([])
  })

  test('F173 what a task comes to when its session has been deleted is told nobody, and nothing is left of it', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say } = await begin(host)
    await say('hand helper: slow')
    await expect.poll(world.effects, soon).toHaveLength(1)
    const [child] = await childrenOf(host, id)
    await host.service.deleteSession({ sessionId: id }, context)
    await expect.poll(() => host.store.tasks.open(10), soon).toEqual([])
    const sessionId = child?.id ?? ''
    const { items } = await host.service.listTurns({ sessionId }, context)
    expect(items.map(({ status }) => status)).toEqual(['cancelled'])
    expect((await host.service.listWakes({}, context)).items).toEqual([])
  })

  test('a task that is cancelled, closed or deleted says so to whoever handed it on', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { service } = host
    for (const end of ['cancel', 'closeSession', 'deleteSession'] as const) {
      const { id, say, results } = await begin(host)
      const before = world.effects().length
      await say('hand helper: slow')
      await expect.poll(world.effects, soon).toHaveLength(before + 1)
      const [child] = await childrenOf(host, id)
      await service[end]({ sessionId: child?.id ?? '' }, context)
      await expect.poll(results, soon).toHaveLength(1)
      expect((await results())[0]).toContain('\\"status\\": \\"cancelled\\"')
    }
  })

  test('nobody gains anything by handing work on', { timeout }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    world.openGate()
    const { id, say, results } = await begin(host, 'boss')
    await say('hand helper: slow')
    await expect.poll(results, soon).toHaveLength(1)
    expect(world.effects()).toEqual([])
    const [child] = await childrenOf(host, id)
    const texts = await textsOf(host, child?.id ?? '')
    expect(texts.join()).toContain('not available')
  })

  test('a session has so many tasks open, and is told why it may have no more', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say } = await begin(host)
    const eight = Array(8).fill('helper').join(',')
    await say(`hand ${eight}: slow`)
    await say(`hand ${eight}: slow`)
    await say('hand helper: slow')
    const texts = await textsOf(host, id)
    expect(texts.join()).toContain('as many as may')
    expect(await childrenOf(host, id)).toHaveLength(16)
    await host.service.closeSession({ sessionId: id }, context)
    await expect.poll(() => host.store.tasks.open(100), soon).toEqual([])
  })

  test('results that lead to more work lead to an end', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say, results } = await begin(host)
    await say('spin')
    const texts = async () => (await textsOf(host, id)).join()
    await expect.poll(texts, soon).toContain('wakes in a row led to this turn')
    const children = await childrenOf(host, id)
    expect(children).toHaveLength(4)
    expect(await results()).toHaveLength(4)
  })

  test('what a task hands on itself comes before its own result', {
    timeout,
  }, async () => {
    const world = await hostWorld(dialect)
    const host = await world.open()
    const { id, say, results } = await begin(host)
    await say('hand helper: hand main: Inner.')
    await expect.poll(results, soon).toHaveLength(1)
    // The last that was said there, which is about the inner result.
    expect((await results())[0]).toContain('You said: Inner.')
    const [outer] = await childrenOf(host, id)
    expect(await childrenOf(host, outer?.id ?? '')).toHaveLength(1)
  })
})

describe('hooks', () => {
  test('may refuse a task, tell it something, and send it back, as if it were waited for', {
    timeout,
  }, async () => {
    const asked: string[] = []
    const hooks = [
      defineHook({
        name: 'gate',
        on: subagentStart,
        run: ({ task }) => (task === 'No.' ? reject('Not this one.') : proceed),
      }),
      defineHook({
        name: 'content',
        on: subagentStop,
        run({ parent, child, task, continuesSoFar }, { scope }) {
          asked.push([parent, child, task, continuesSoFar].join(' '))
          asked.push(`${scope.agent} ${scope.origin}`)
          return continuesSoFar === 0 ? keepGoing('Once more.') : proceed
        },
      }),
    ]
    const world = await hostWorld()
    const host = await world.open({ hooks })
    const { id, say, results } = await begin(host)
    await say('hand helper: No.')
    expect((await textsOf(host, id)).join()).toContain('Not this one.')
    await say('hand helper: Yes.')
    await expect.poll(results, soon).toHaveLength(1)
    expect((await results())[0]).toContain('Once more.')
    const about = ['main helper Yes. 0', 'main background']
    expect(asked).toEqual([...about, 'main helper Yes. 1', 'main background'])
  })

  test('that let no session go on make that its result', {
    timeout,
  }, async () => {
    const gate = defineHook({
      name: 'gate',
      on: sessionStart,
      run: ({ source }, { scope }) =>
        scope.agent === 'helper' && source === 'resume'
          ? reject('Not again.')
          : proceed,
    })
    const world = await hostWorld()
    const host = await world.open({ hooks: [gate] })
    const { say, results } = await begin(host)
    await say('hand helper: Hello.')
    await expect.poll(results, soon).toHaveLength(1)
    expect((await results())[0]).toContain('Not again.')
    expect((await results())[0]).toContain('rejected')
    await expect.poll(() => host.store.tasks.open(10), soon).toEqual([])
  })
})

test('nobody else tells what a task came to', async () => {
  const world = await hostWorld()
  const { service } = await world.open()
  const emitting = service.emit({ name: 'delegated.x', data: {} }, context)
  await expect(emitting).rejects.toMatchObject({ code: 'bad-request' })
})

async function watch(
  { service }: OpenedHost,
  sessionId: string,
  start: { readonly fromStart?: boolean } = {},
) {
  const gone = new AbortController()
  const watching = contextOf({ signal: gone.signal })
  const stream = await service.watchSession({ sessionId, ...start }, watching)
  const items: StreamItem[] = []
  const reading = (async () => {
    for await (const item of stream) items.push(item)
  })()
  return {
    items,
    end: () => {
      gone.abort()
      return reading
    },
  }
}

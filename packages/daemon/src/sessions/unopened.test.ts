import { defineHook, type Hook, proceed, reject } from 'hookline'
import { sessionEnd, sessionStart } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf, type OpenedHost } from './fixtures/open-host.ts'

const timeout = 60_000
const soon = { timeout: 30_000, interval: 20 }
const context = contextOf()

const counting = { countsSessions: true }

/** More than are begun at a time; each is told something that is left to do. */
async function leaveSome(
  { store }: OpenedHost,
  { agent, count = 20 }: { readonly agent: string; readonly count?: number },
) {
  const ids = Array.from({ length: count }, (_, at) => `${agent}-${at}`)
  for (const id of ids) {
    const info = { id, agent, cwd: '', createdAt: 0 }
    await store.sessions.create(info)
    await store.sessions.release(id)
    await say(store, id)
  }
  return ids
}

async function say(store: OpenedHost['store'], sessionId: string) {
  const body = { input: 'Hello.', inputId: `input of ${sessionId}` }
  await store.inbox.put({ sessionId, kind: 'send', body, by: 'user:ann' })
}

const closedBy =
  ({ service }: OpenedHost) =>
  async (sessionId: string) =>
    (await service.getSession({ sessionId }, context)).endReason

/** Refuses to begin sessions of the helper, and counts how often it was asked. */
function refuser() {
  const asked: string[] = []
  const gate: Hook = defineHook({
    name: 'refuser',
    on: sessionStart,
    run(_, { scope }) {
      if (scope.agent !== 'helper') return proceed
      asked.push(scope.sessionId ?? '')
      return reject('Not now.')
    },
  })
  return { asked, gate }
}

test.each(['sqlite', 'postgres'] as const)(
  'on %s sessions whose agent is not here hold up nobody, and wait for those who have it',
  { timeout },
  async (dialect) => {
    const world = await hostWorld(dialect)
    const idle = await world.open({ host: { takesOver: false } })
    await leaveSome(idle, { agent: 'gone', count: 210 })
    const [last = ''] = await leaveSome(idle, { agent: 'main', count: 1 })
    const host = await world.open()
    const turns = async () => {
      const { items } = await host.service.listTurns(
        { sessionId: last },
        context,
      )
      return items.map(({ status }) => status)
    }
    await expect.poll(turns, soon).toEqual(['succeeded'])
    expect(await host.store.inbox.read('gone-0')).toHaveLength(1)
  },
)

test('sessions that a gate refuses hold up nobody: they are tried again, after longer and longer', {
  timeout,
}, async () => {
  const { asked, gate } = refuser()
  const world = await hostWorld()
  const idle = await world.open({ host: { takesOver: false } })
  await leaveSome(idle, { agent: 'helper' })
  const [last = ''] = await leaveSome(idle, { agent: 'main', count: 1 })
  const told: unknown[] = []
  const host = await world.open({
    hooks: [gate],
    onError: (about) => told.push(about),
  })
  const turns = async () => {
    const { items } = await host.service.listTurns({ sessionId: last }, context)
    return items.map(({ status }) => status)
  }
  await expect.poll(turns, soon).toEqual(['succeeded'])
  await expect
    .poll(() => asked.filter((id) => id === 'helper-0').length, soon)
    .toBe(2)
  expect(told).toContainEqual(
    expect.objectContaining({
      sessionId: 'helper-0',
      error: expect.objectContaining({ code: 'session-refused' }),
      againMs: 1_000,
    }),
  )
})

test('a session whose agent is gone is closed and deleted all the same, and hooks are told of its end', {
  timeout,
}, async () => {
  const world = await hostWorld()
  const idle = await world.open({ host: { takesOver: false } })
  const [one = '', two = ''] = await leaveSome(idle, {
    agent: 'gone',
    count: 2,
  })
  const host = await world.open(counting)
  await host.service.closeSession({ sessionId: one }, context)
  expect(await closedBy(host)(one)).toBe('closed')
  expect(await host.store.inbox.read(one)).toEqual([])
  await host.service.deleteSession({ sessionId: two }, context)
  const gone = host.service.getSession({ sessionId: two }, context)
  await expect(gone).rejects.toMatchObject({ code: 'not-found' })
  expect(world.effects()).toEqual([`session end ${one}`, `session end ${two}`])
})

test('what was asked while nobody could open the session is done by whoever comes next', {
  timeout,
}, async () => {
  const { gate } = refuser()
  const world = await hostWorld()
  const idle = await world.open({ host: { takesOver: false } })
  const [gone = ''] = await leaveSome(idle, { agent: 'gone', count: 1 })
  const [refused = ''] = await leaveSome(idle, { agent: 'helper', count: 1 })
  for (const sessionId of [gone, refused]) {
    const close = { sessionId, kind: 'close', body: {}, by: 'user:ann' }
    await idle.store.inbox.put(close)
  }
  const over = defineHook({ name: 'over', on: sessionEnd, run: () => proceed })
  const host = await world.open({ hooks: [gate, over] })
  const ends = () => Promise.all([gone, refused].map(closedBy(host)))
  await expect.poll(ends, soon).toEqual(['closed', 'closed'])
  expect(await host.store.inbox.waiting(10)).toEqual([])
})

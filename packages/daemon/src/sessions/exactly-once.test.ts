import { expect, test } from 'vitest'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import type { RemoteHost } from './fixtures/remote-host.ts'
import { kill, newSession, remoteHosts } from './fixtures/remote-hosts.ts'

const timeout = 120_000
const soon = { timeout: 60_000, interval: 50 }

interface Messages {
  readonly messages: readonly { readonly role: string }[]
}

async function saidIn(host: RemoteHost, sessionId: string): Promise<string> {
  const { messages } = await host.call<Messages>('listMessages', { sessionId })
  return JSON.stringify(messages.filter(({ role }) => role === 'user'))
}

const idle = async (host: RemoteHost, sessionId: string) => {
  const { state } = await host.call<{ state: string }>('getSession', {
    sessionId,
  })
  return state
}

// One turn with a call, and words that come while it runs: all that is written
// meanwhile, before and after. Each dies with it.
const deaths = [
  { at: 'inbox.put:after-commit', hit: 1 },
  { at: 'inbox.done:after-commit', hit: 1 },
  { at: 'session.append:after-commit', hit: 3 },
  // With this one the words are kept.
  { at: 'session.append:before-commit', hit: 5 },
  { at: 'session.append:after-commit', hit: 5 },
]

test.each(deaths)(
  'words for a turn that runs are said once, whenever its daemon dies: $at $hit',
  { timeout },
  async ({ at, hit }) => {
    const { start, effects, openGate } = await remoteHosts('sqlite')
    const failpoints = { [at]: { do: 'kill', hit } }
    const one = await start({}, { failpoints })
    const sessionId = await newSession(one)
    await one.call('send', { sessionId, input: 'slow', key: 'slow' })
    await expect.poll(effects, soon).toHaveLength(1)
    const steered = { sessionId, input: 'Be quick.', key: 'quick' }
    const isTold = await one.call('steer', steered).then(
      () => true,
      () => false,
    )
    openGate()
    // It dies, or has nothing left to do: then nothing was to be broken there.
    const hasDied = await Promise.race([
      one.ended.then(() => true),
      expect
        .poll(async () => await idle(one, sessionId).catch(() => 'dead'), soon)
        .toBe('idle')
        .then(
          () => false,
          () => true,
        ),
    ])
    if (at.startsWith('session')) expect(hasDied).toBe(true)
    if (!hasDied) await kill(one)
    const two = await start()
    // Whoever was not told asks again.
    if (!isTold) await two.call('steer', steered)
    const left = async () => await two.call<number>('inbox', { sessionId })
    await expect.poll(left, soon).toBe(0)
    await expect.poll(() => idle(two, sessionId), soon).toBe('idle')
    const said = await saidIn(two, sessionId)
    expect(said.split('Be quick.')).toHaveLength(2)
    expect(effects()).toHaveLength(1)
  },
)

test('an answer that was used is not used again, when its daemon dies before it could say so', {
  timeout,
}, async () => {
  const { start } = await remoteHosts()
  const failpoints = { 'inbox.done:before-write': { do: 'kill', hit: 1 } }
  const one = await start({}, { failpoints })
  const two = await start()
  const sessionId = await newSession(one)
  await one.watch('watchSession', { sessionId })
  await one.call('send', { sessionId, input: 'ask' })
  interface Questions {
    readonly items: readonly { readonly callId: string }[]
  }
  const asked = async () =>
    (await two.call<Questions>('listQuestions', { sessionId })).items
  await expect.poll(asked, soon).toHaveLength(1)
  const answer = (text: string) =>
    two.call<{ type: string }>('answerQuestions', {
      sessionId,
      callId: 'ask',
      answers: [{ id: 'q', text }],
    })
  const given = answer('Bob')
  await one.ended
  await given
  const saidNow = async () =>
    JSON.stringify(
      (await two.call<Messages>('listMessages', { sessionId })).messages,
    )
  await expect.poll(() => idle(two, sessionId), soon).toBe('idle')
  expect((await saidNow()).split('Name: Bob')).toHaveLength(2)
  // The model may give another call the same id.
  await two.watch('watchSession', { sessionId })
  const again = two.call<TurnOutcome>('send', {
    sessionId,
    input: 'ask more',
    wait: true,
  })
  await expect.poll(asked, soon).toHaveLength(1)
  expect(await answer('Eve')).toEqual({ type: 'accepted' })
  expect(await again).toMatchObject({ status: 'succeeded' })
  const all = await saidNow()
  expect(all.split('Name: Bob')).toHaveLength(2)
  expect(all.split('Name: Eve')).toHaveLength(2)
})

test.each(['sqlite', 'postgres'] as const)(
  'hooks are told of the end of a turn whose daemon died before it told them: %s',
  { timeout },
  async (dialect) => {
    const { start, effects } = await remoteHosts(dialect)
    // The second thing that a short turn writes is its end.
    const failpoints = { 'session.append:after-commit': { do: 'kill', hit: 2 } }
    const one = await start({}, { tellsEnds: true, failpoints })
    const sessionId = await newSession(one)
    await one.call('send', { sessionId, input: 'Hello.' }).catch(() => {})
    await one.ended
    expect(effects()).toEqual([])
    const two = await start({}, { tellsEnds: true })
    await expect.poll(effects, soon).toHaveLength(1)
    const { items } = await two.call<{
      items: readonly { id: string; status: string }[]
    }>('listTurns', { sessionId })
    expect(items).toMatchObject([{ status: 'succeeded' }])
    const [turn] = items
    expect(effects()).toEqual([`ended ${turn?.id} succeeded ${sessionId} 1`])
    // Once is enough, for it and for whoever comes next.
    await two.call('send', { sessionId, input: 'Again.', wait: true })
    await expect.poll(effects, soon).toHaveLength(2)
    two.process.stdin?.end()
    await two.ended
    const three = await start({}, { tellsEnds: true })
    await three.call('send', { sessionId, input: 'More.', wait: true })
    await expect.poll(effects, soon).toHaveLength(3)
  },
)

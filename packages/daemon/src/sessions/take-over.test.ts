import { expect, test } from 'vitest'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import { kill, newSession, remoteHosts } from './fixtures/remote-hosts.ts'

const timeout = 120_000
const soon = { timeout: 60_000, interval: 50 }

interface Listed {
  readonly items: readonly { readonly status: string }[]
}
interface Messages {
  readonly messages: readonly unknown[]
}

test('what another daemon has is compacted by any, which waits until it is done', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const slow = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    wait: true,
  })
  await expect.poll(effects, soon).toHaveLength(1)
  const held = { state: 'elsewhere' }
  expect(await two.call('getSession', { sessionId })).toMatchObject(held)
  const compacted = two.call('compact', { sessionId })
  // It comes when no turn runs, and so is waited for.
  const isOver = await Promise.race([
    compacted.then(() => true),
    two.call('getSession', { sessionId }).then(() => false),
  ])
  expect(isOver).toBe(false)
  openGate()
  expect(await slow).toMatchObject({ status: 'succeeded' })
  expect(await compacted).toEqual({ outcome: 'nothing' })
})

test('a turn that runs elsewhere ends with its session, when any daemon deletes that', {
  timeout,
}, async () => {
  const { start, effects } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const slow = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    wait: true,
  })
  await expect.poll(effects, soon).toHaveLength(1)
  const waiting = two.call<TurnOutcome>('send', {
    sessionId,
    input: 'Never.',
    key: 'never',
    wait: true,
  })
  await two.call('send', { sessionId, input: 'Never.', key: 'never' })
  expect(await two.call('deleteSession', { sessionId })).toEqual({ ok: true })
  for (const host of [one, two]) {
    const gone = host.call('getSession', { sessionId })
    await expect(gone).rejects.toMatchObject({ code: 'not-found' })
  }
  expect(await slow).toMatchObject({ status: 'cancelled' })
  expect(await waiting).toMatchObject({ status: 'cancelled' })
})

test('whoever asks for what another daemon cannot do in time is told so, and it is done later', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  const one = await start()
  const two = await start({ handOverMs: 300 })
  const sessionId = await newSession(one)
  await one.call('send', { sessionId, input: 'slow' })
  await expect.poll(effects, soon).toHaveLength(1)
  const compacted = two.call('compact', { sessionId })
  await expect(compacted).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has not said so for 300 ms'),
  })
  const watched = await two.watch('watchSession', { sessionId })
  openGate()
  const types = () =>
    watched.items.flatMap((item) =>
      item.type === 'event' ? [item.event.type] : [],
    )
  await expect.poll(types, soon).toContain('compaction-end')
})

test('a turn whose daemon was killed is still held to the value that was asked for', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const output = {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
  }
  const sent = { sessionId, input: 'slow', key: 'k', output }
  await one.call('send', sent)
  await expect.poll(effects, soon).toHaveLength(1)
  await kill(one)
  openGate()
  const ended = async () =>
    (await two.call<Listed>('listTurns', { sessionId })).items
  await expect.poll(ended, soon).toMatchObject([{ status: 'succeeded' }])
  // Whoever asks again has nothing to do with how it went on.
  const again = await two.call<TurnOutcome>('send', { ...sent, wait: true })
  expect(again).toMatchObject({
    status: 'succeeded',
    value: { n: 1 },
    isDuplicate: true,
  })
  expect(effects()).toHaveLength(1)
})

test('T51 a daemon of another machine is taken over from when its lease has run out, and writes nothing when it comes back', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  // Nobody can look at a process of another machine.
  const lease = { name: 'elsewhere pid:[1] 7', leaseMs: 5_000 }
  const one = await start({}, { store: { lease } })
  const two = await start()
  const sessionId = await newSession(one)
  const sent = { sessionId, input: 'slow', key: 'k', wait: true }
  const first = one.call<TurnOutcome>('send', sent)
  await expect.poll(effects, soon).toHaveLength(1)
  one.process.kill('SIGSTOP')
  const heldBy = async () =>
    await two.call<{ state: string; worker: string | null }>('getSession', {
      sessionId,
    })
  expect(await heldBy()).toMatchObject({ state: 'elsewhere' })
  const outcome = await two.call<TurnOutcome>('send', sent)
  expect(outcome.status).toBe('succeeded')
  const kept = await two.call<Messages>('listMessages', { sessionId })
  // It wakes up in the middle of its call, which now ends.
  openGate()
  one.process.kill('SIGCONT')
  expect(await first).toMatchObject({ turnId: outcome.turnId })
  const idle = async () => await one.call('counts')
  await expect.poll(idle, soon).toMatchObject({ sessions: 0, turns: 0 })
  expect(await two.call('listMessages', { sessionId })).toEqual(kept)
  expect(JSON.stringify(kept)).toContain('Nobody knows')
  const { items } = await two.call<Listed>('listTurns', { sessionId })
  expect(items).toMatchObject([{ status: 'succeeded' }])
  expect(effects()).toHaveLength(1)
  // And it serves as any other.
  const hello = { sessionId, input: 'Hello.', wait: true }
  const next = await one.call<TurnOutcome>('send', hello)
  expect(next.text).toBe('You said: Hello.')
})

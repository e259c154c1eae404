import { expect, test } from 'vitest'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import {
  kill,
  newSession,
  remoteHosts,
  typesOf,
} from './fixtures/remote-hosts.ts'

interface Pending {
  readonly id: string
  readonly sessionId: string
  readonly shownHash: string
}

const timeout = 120_000
const soon = { timeout: 60_000, interval: 50 }

test('F192 a daemon that is killed while people are asked: another shows, takes the answer and finishes the turn, and the stream goes on', {
  timeout,
}, async () => {
  const { start, effects } = await remoteHosts()
  // It holds on to the session, and so dies with it.
  const one = await start({ waitMs: 600_000 })
  const two = await start()
  const sessionId = await newSession(one)
  const watched = await one.watch('watchSession', { sessionId })
  await one.call('send', { sessionId, input: 'run', key: 'k' })
  await expect
    .poll(() => typesOf(watched.items), soon)
    .toContain('permission-start')
  const asked = (item: StreamItem) =>
    item.type === 'notice' && item.name === 'approval-asked'
  await expect.poll(() => watched.items.some(asked), soon).toBe(true)
  // What it tells after that is not counted as seen.
  const before = [...watched.items]
  const cursor = before.at(-1)?.cursor
  await kill(one)

  const [pending] = await two.call<Pending[]>('pending')
  expect(pending?.sessionId).toBe(sessionId)
  const later = await two.watch('watchSession', { sessionId, after: cursor })
  const { id, shownHash } = pending as Pending
  await two.call('answer', { id, shownHash, type: 'allow' })
  await expect.poll(() => typesOf(later.items), soon).toContain('turn-end')
  expect(effects()).toHaveLength(1)
  const again = await two.call<TurnOutcome>('send', {
    sessionId,
    input: 'run',
    key: 'k',
    wait: true,
  })
  expect(again).toMatchObject({
    status: 'succeeded',
    text: 'Done: run',
    isDuplicate: true,
  })
  expect(effects()).toHaveLength(1)
  const seen = [...before, ...later.items].flatMap(({ cursor: at }) =>
    at === undefined ? [] : [at],
  )
  expect(new Set(seen).size).toBe(seen.length)
})

test('F182 what was agreed to where its tool is not waits, visibly, for a daemon that has it', {
  timeout,
}, async () => {
  const { start, effects } = await remoteHosts()
  const one = await start({ waitMs: 600_000 })
  const bare = await start({}, { lacksRisky: true })
  const sessionId = await newSession(one)
  await one.call('send', { sessionId, input: 'run', key: 'k' })
  const pending = async () => await bare.call<Pending[]>('pending')
  await expect.poll(pending, soon).toHaveLength(1)
  await kill(one)
  const [{ id, shownHash } = { id: '', shownHash: '' }] = await pending()
  await bare.call('answer', { id, shownHash, type: 'allow' })
  const resumed = () =>
    bare.call('resume', { sessionId }).catch((error: Error) => error.message)
  await expect.poll(resumed, soon).toContain('waits for tool "risky"')
  const turns = { items: [{ status: 'running' }] }
  expect(await bare.call('listTurns', { sessionId })).toMatchObject(turns)
  expect(effects()).toEqual([])
  const two = await start()
  const sent = { sessionId, input: 'run', key: 'k', wait: true }
  const outcome = await two.call<TurnOutcome>('send', sent)
  expect(outcome).toMatchObject({ status: 'succeeded', text: 'Done: run' })
  expect(effects()).toHaveLength(1)
})

test("a turn that waits for people is nobody's, and any daemon goes on with it", {
  timeout,
}, async () => {
  const { start, effects } = await remoteHosts()
  const one = await start({ waitMs: 100 })
  const two = await start({ waitMs: 100 })
  const sessionId = await newSession(one)
  const waiting = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'run',
    wait: true,
  })
  await expect
    .poll(async () => await two.call('getSession', { sessionId }), soon)
    .toMatchObject({ state: 'waiting', worker: null })
  const [pending] = await two.call<Pending[]>('pending')
  const { id, shownHash } = pending as Pending
  await two.call('answer', { id, shownHash, type: 'allow' })
  expect(await waiting).toMatchObject({
    status: 'succeeded',
    text: 'Done: run',
  })
  expect(effects()).toHaveLength(1)
})

test('what is asked of a session that another daemon has reaches it', {
  timeout,
}, async () => {
  const { start, openGate, effects } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const first = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    wait: true,
  })
  await expect.poll(effects, soon).toHaveLength(1)
  expect(await two.call('getSession', { sessionId })).toMatchObject({
    state: 'elsewhere',
  })
  const steered = await two.call('steer', { sessionId, input: 'Be quick.' })
  expect(steered).toEqual({ type: 'handed-over' })
  const second = two.call<TurnOutcome>('send', {
    sessionId,
    input: 'Hello.',
    key: 'second',
    wait: true,
  })
  // The same once more: it is the same turn.
  const same = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'Hello.',
    key: 'second',
    wait: true,
  })
  openGate()
  expect(await first).toMatchObject({ status: 'succeeded' })
  const { turnId, text } = await second
  expect(text).toBe('You said: Hello.')
  expect((await same).turnId).toBe(turnId)
  const { messages } = await one.call<{ messages: { role: string }[] }>(
    'listMessages',
    { sessionId },
  )
  const said = messages.filter(({ role }) => role === 'user')
  expect(JSON.stringify(said).split('Be quick.')).toHaveLength(2)
})

test('a turn can be cancelled and a session closed from another daemon', {
  timeout,
}, async () => {
  const { start, effects } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const first = one.call<TurnOutcome>('send', {
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
  // It is in the inbox as soon as it is not new there.
  await two.call('send', { sessionId, input: 'Never.', key: 'never' })
  await two.call('cancel', { sessionId, reason: 'Enough.' })
  expect(await first).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
  expect(await waiting).toMatchObject({ status: 'cancelled' })
  await two.call('closeSession', { sessionId })
  await expect
    .poll(async () => await one.call('getSession', { sessionId }), soon)
    .toMatchObject({ state: 'ended' })
  const sent = one.call('send', { sessionId, input: 'Hello?' })
  await expect(sent).rejects.toMatchObject({ code: 'gone' })
})

test('a daemon that is drained hands its turns over, and nothing is lost', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const slow = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    key: 'slow',
    wait: true,
  })
  await expect.poll(effects, soon).toHaveLength(1)
  await one.call('send', { sessionId, input: 'Queued.', key: 'queued' })
  const watched = await two.watch('watchSession', { sessionId })
  await one.call('drain', { graceMs: 0 })
  openGate()
  const refused = one.call('send', { sessionId, input: 'Late.' })
  await expect(refused).rejects.toMatchObject({ code: 'shutting-down' })
  expect((await slow).status).toBe('succeeded')
  const queued = await two.call<TurnOutcome>('send', {
    sessionId,
    input: 'Queued.',
    key: 'queued',
    wait: true,
  })
  expect(queued).toMatchObject({ text: 'You said: Queued.' })
  const turns = await two.call<{ items: { status: string }[] }>('listTurns', {
    sessionId,
  })
  expect(turns.items.map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
  ])
  expect(effects()).toHaveLength(1)
  // That it stopped there is no end of it.
  const ends = () =>
    typesOf(watched.items).filter((type) => type === 'turn-end')
  await expect.poll(ends, soon).toHaveLength(2)
})

test('questions to the user are shown and answered by another daemon, where somebody watches', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts()
  const one = await start()
  const two = await start()
  const sessionId = await newSession(one)
  const busy = one.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    wait: true,
  })
  await expect.poll(effects, soon).toHaveLength(1)
  await two.watch('watchSession', { sessionId })
  const asked = two.call<TurnOutcome>('send', {
    sessionId,
    input: 'ask',
    wait: true,
  })
  // What is behind the first turn is left with whoever runs that.
  await two.call('send', { sessionId, input: 'Last.', key: 'last' })
  // Where nobody is known to watch, nobody is asked.
  const isWatched = () => one.call<boolean>('canBeAsked', { sessionId })
  await expect.poll(isWatched, soon).toBe(true)
  openGate()
  await busy
  interface Listed {
    readonly items: readonly { readonly callId: string }[]
  }
  const listed = () => two.call<Listed>('listQuestions', { sessionId })
  await expect.poll(async () => (await listed()).items, soon).toHaveLength(1)
  const [question] = (await listed()).items
  const answers = [{ id: 'q', text: 'Bob' }]
  const { callId } = question ?? { callId: '' }
  const received = await two.call('answerQuestions', {
    sessionId,
    callId,
    answers,
  })
  expect(received).toEqual({ type: 'accepted' })
  expect(await asked).toMatchObject({ status: 'succeeded' })
  const { messages } = await two.call<{ messages: unknown[] }>('listMessages', {
    sessionId,
  })
  expect(JSON.stringify(messages)).toContain('Name: Bob')
})

test('F145 a daemon on SQLite that is killed in the middle of a turn goes on with it when it is started again', {
  timeout,
}, async () => {
  const { start, effects, openGate } = await remoteHosts('sqlite')
  const one = await start()
  const sessionId = await newSession(one)
  await one.call('send', { sessionId, input: 'slow', key: 'slow' })
  await expect.poll(effects, soon).toHaveLength(1)
  await kill(one)
  openGate()
  const two = await start()
  const outcome = await two.call<TurnOutcome>('send', {
    sessionId,
    input: 'slow',
    key: 'slow',
    wait: true,
  })
  expect(outcome.status).toBe('succeeded')
  const { messages } = await two.call<{ messages: unknown[] }>('listMessages', {
    sessionId,
  })
  // Nobody knows how the call ended, and it was not made again.
  expect(JSON.stringify(messages)).toContain('Nobody knows')
  expect(effects()).toHaveLength(1)
})

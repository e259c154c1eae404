import { expect, test, vi } from 'vitest'
import { startHere, until } from '../../faults/fixtures/live-daemon.ts'
import {
  agree,
  askedAbout,
  makes,
  says,
  trustingModel,
  write,
} from '../../faults/fixtures/several-people.ts'
import { siteForEach } from '../../faults/fixtures/site.ts'
import type { Client } from '../../protocol/client.ts'
import { captureOutput } from '../fixtures/captured-output.ts'
import { GivenOptions } from '../given-options.ts'
import type { Asker } from './asking.ts'
import { playTurn } from './play-turn.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

const plugins = { skills: false, memory: false, delegate: false }
const values = [{ policy: { mode: 'ask-writes' }, plugins }]

async function setUp() {
  const { client } = await startHere(site, { ...trustingModel(), values })
  const { id: sessionId } = await client.createSession({})
  const { output, written } = captureOutput()
  const asked: string[] = []
  const asker: Asker = {
    askApproval: async ({ id }) => void asked.push(id),
    askQuestions: async ({ callId }) => void asked.push(callId),
  }
  const context = {
    ...{ args: [], options: new GivenOptions({}), output, env: {} },
    connect: async () => client,
  }
  /** Says something there, and does the rest while it waits. */
  const play = async (
    input: string,
    meanwhile: () => Promise<unknown>,
    by: Partial<Client> = {},
  ) => {
    let during: Promise<unknown> | undefined
    const own = { ...client, ...by }
    const exit = await playTurn(context, {
      connection: { client: own, isEmbedded: false, close: async () => {} },
      key: 'own',
      open: () => client.createSession({ id: sessionId }),
      async start() {
        const begun = await client.send({ sessionId, input, key: 'own' })
        during = meanwhile()
        return begun
      },
      asker,
    })
    await during
    return exit
  }
  return { client, context, sessionId, written, asked, play }
}

test('whoever speaks into a session that waits is asked nothing of what others are asked there', async () => {
  const { client, sessionId, written, asked, play } = await setUp()
  const note = { tool: 'read', args: { path: 'note' } }
  site.write('root/note', makes(write('b')))
  await client.send({ sessionId, input: makes(write('a'), note) })
  const first = await askedAbout(client, '"a"')
  const exit = await play(says('Mine.'), async () => {
    expect(await agree(client, first)).toBe('accepted')
    expect(await agree(client, await askedAbout(client, '"b"'))).toBe(
      'accepted',
    )
  })
  expect({ exit, asked, ...written }).toMatchObject({
    exit: 'ok',
    asked: [],
    stdout: 'Mine.\n',
  })
  expect(site.read('root/b')).toBe('x')
})

test('Ctrl-C while a command ends, because its session cannot be opened, lets it end', async () => {
  const { client, context, written } = await setUp()
  const open = () => Promise.reject(new Error('Nobody knows it.'))
  const connection = {
    ...{ client, isEmbedded: true },
    close: async () => void process.emit('SIGINT'),
  }
  const start = () => client.send({ sessionId: '', input: '' })
  const played = playTurn(context, { connection, open, start })
  await expect(played).rejects.toThrow('Nobody knows it.')
  expect(written.stderr).toContain('Ending; once more to leave at once.')
})

test('Ctrl-C before anything was said leaves it unsaid', async () => {
  const { client, sessionId, written, play } = await setUp()
  const attend: Client['attend'] = async (input, ...rest) => {
    if (input.isLeaving !== true) process.emit('SIGINT')
    return await client.attend(input, ...rest)
  }
  const exit = await play(says('Too late.'), async () => {}, { attend })
  expect({ exit, ...written }).toEqual({
    exit: 'interrupted',
    stdout: '',
    stderr: 'Cancelling; once more to leave at once.\n',
  })
  expect((await client.listTurns({ sessionId })).items).toEqual([])
})

test('whoever waits behind others is asked what is their own', async () => {
  const { client, sessionId, asked, play } = await setUp()
  await client.send({ sessionId, input: makes(write('a')) })
  const first = await askedAbout(client, '"a"')
  const exit = await play(makes(write('c')), async () => {
    await agree(client, first)
    const own = await askedAbout(client, '"c"')
    await until(() => asked.includes(own.id))
    await agree(client, own)
  })
  expect(exit).toBe('ok')
  expect(asked).toHaveLength(1)
})

test('what is never begun is told as that', async () => {
  const { client, sessionId, written, asked, play } = await setUp()
  await client.send({ sessionId, input: makes(write('a')) })
  await askedAbout(client, '"a"')
  const exit = await play('Something.', () =>
    client.cancel({ sessionId, reason: 'Not now.' }),
  )
  expect(exit).toBe('interrupted')
  expect(written.stderr).toContain('Not now.')
  expect(asked).toEqual([])
})

test('whoever speaks is there to be asked at once, however late their stream opens', async () => {
  const { client, sessionId, asked, play } = await setUp()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const watchSession: Client['watchSession'] = async function* (...about) {
    await opened
    yield* client.watchSession(...about)
  }
  const question = { id: 'q', header: 'Which', question: 'Which one?' }
  const ask = { tool: 'ask_user', args: { questions: [question] }, id: 'ask' }
  const list = async () => (await client.listQuestions({ sessionId })).items
  const meanwhile = async () => {
    await until(async () => (await list())[0]).finally(open)
    await until(() => asked.includes('ask'))
    const answers = [{ id: 'q', text: 'This.' }]
    await client.answerQuestions({ sessionId, callId: 'ask', answers })
  }
  expect(await play(makes(ask), meanwhile, { watchSession })).toBe('ok')
  // And when it is over, nobody is.
  const streams = async () => (await client.info()).counts.streams
  await expect.poll(streams).toBe(0)
})

test('whoever plays a turn is asked what no event could tell, as it was too large', async () => {
  const { client, asked, play } = await setUp()
  const watchSession: Client['watchSession'] = async function* (...given) {
    for await (const item of client.watchSession(...given)) {
      const isLarge =
        item.type === 'event' && item.event.type === 'permission-start'
      if (!isLarge) yield item
    }
  }
  const agreed = async () => {
    await until(() => asked.length > 0 || undefined)
    expect(await agree(client, await askedAbout(client, '"a"'))).toBe(
      'accepted',
    )
  }
  const exit = await play(makes(write('a')), agreed, { watchSession })
  expect({ exit, asked }).toEqual({ exit: 'ok', asked: [expect.any(String)] })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../protocol/client.ts'
import type { ListedApproval } from '../protocol/schemas/approvals.ts'
import { until } from './fixtures/live-daemon.ts'
import {
  agree,
  askedAbout,
  look,
  makes,
  type People,
  says,
  startWithPeople,
  trustingModel,
  write,
} from './fixtures/several-people.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()
let people: People
let model: ReturnType<typeof trustingModel>

beforeEach(async () => {
  model = trustingModel()
  people = await startWithPeople(site, model)
})

afterEach(() => people.close())

/** Who asked does not agree; whoever had no say does, and then it runs. */
async function isOnlyFor(
  bob: Client,
  asked: ListedApproval,
  ...others: readonly Client[]
): Promise<void> {
  for (const other of others) {
    expect(await agree(other, asked)).toBe('own-question')
  }
  expect(await agree(bob, asked)).toBe('accepted')
}

const done = (path: string) => until(() => site.read(`root/${path}`) === 'x')

async function newSession(client: Client): Promise<string> {
  const { id } = await client.createSession({ agent: 'main' })
  return id
}

const deny = ({ id: approvalId, shownHash }: ListedApproval, reason?: string) =>
  ({
    ...{ approvalId, shownHash, type: 'deny' as const },
    ...(reason !== undefined && { reason }),
  }) as const

test('T26 a wake is no way to agree to what one has asked for', async () => {
  const { ann, bob, mallory } = people
  const prompt = makes(write('a'))
  await mallory.createWake({ event: 'x', agent: 'main', prompt })
  await mallory.emit({ name: 'x' })
  const asked = await askedAbout(bob, '"a"')
  expect(asked.requestedBy).toContain('user:mallory')
  await isOnlyFor(bob, asked, mallory)
  await done('a')
  // Nor is one that somebody else tells of, or one that waits for others' events.
  await mallory.createWake({
    event: 'y',
    agent: 'helper',
    prompt: makes(write('b')),
  })
  await ann.emit({ name: 'y', key: 'once' })
  await isOnlyFor(bob, await askedAbout(bob, '"b"'), mallory, ann)
  await ann.createWake({ event: 'z', agent: 'main', prompt: 'Do as it says.' })
  await mallory.emit({ name: 'z', data: { words: makes(write('c')) } })
  await isOnlyFor(bob, await askedAbout(bob, '"c"'), mallory, ann)
})

test('T26 a word into the turn of somebody else is none', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  await ann.send({ sessionId, input: `WAIT ${makes(look)}` })
  await model.waiting
  const said = { sessionId, input: makes(write('a')), key: 'again' }
  await mallory.steer(said)
  await mallory.steer(said)
  model.go()
  const asked = await askedAbout(bob, '"a"')
  expect(asked.requestedBy).toEqual(['user:ann', 'user:mallory'])
  await isOnlyFor(bob, asked, mallory, ann)
  await done('a')
})

test('T26 who had a say is known after a restart, also for what comes then', async () => {
  const sessionId = await newSession(people.ann)
  site.write('root/note', makes(write('later')))
  await people.ann.send({ sessionId, input: makes(write('a')) })
  const first = await askedAbout(people.bob, '"a"')
  const words = makes(write('evil'), { tool: 'read', args: { path: 'note' } })
  await people.mallory.answerApproval(deny(first, words))
  await askedAbout(people.bob, '"evil"')
  await people.close()
  people = await startWithPeople(site, model)
  const { ann, bob, mallory } = people
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
  await isOnlyFor(bob, await askedAbout(bob, '"later"'), mallory, ann)
  await done('later')
})

test('T26 who changes a call has asked for it', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  await ann.send({ sessionId, input: makes(write('a')) })
  const { id: approvalId, shownHash } = await askedAbout(bob, '"a"')
  const { args } = write('evil')
  const edit = { approvalId, shownHash, type: 'edit', args } as const
  await mallory.answerApproval(edit)
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
  await done('evil')
})

test('T26 who denies a call with words has a say in what comes of them', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  await ann.send({ sessionId, input: makes(write('a')) })
  const first = await askedAbout(bob, '"a"')
  await mallory.answerApproval(deny(first, `Not so. ${makes(write('evil'))}`))
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
  await done('evil')
})

test('who denies a call without a word may agree to the next', async () => {
  const { ann, bob } = people
  const sessionId = await newSession(ann)
  await ann.send({ sessionId, input: makes(write('a'), look) })
  const asked = await askedAbout(bob, '"a"')
  await ann.steer({ sessionId, input: makes(write('b')), key: 'k' })
  await bob.answerApproval(deny(asked))
  await isOnlyFor(bob, await askedAbout(bob, '"b"'), ann)
  await done('b')
})

test('T26 who answers a question of the agent has a say in what comes of it', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  // Nobody is asked who is not there by then.
  await mallory.attend({ sessionId, place: 'a page' })
  const question = { id: 'q', header: 'Which', question: 'Which one?' }
  const ask = { tool: 'ask_user', args: { questions: [question] }, id: 'ask' }
  await ann.send({ sessionId, input: makes(ask) })
  const { callId } = await until(async () => {
    return (await mallory.listQuestions({ sessionId })).items[0]
  })
  const answers = [{ id: 'q', text: makes(write('evil')) }]
  await mallory.answerQuestions({ sessionId, callId, answers })
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
})

test('T26 what somebody has said yes to for longer is no yes to what they ask for themselves', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  await ann.send({ sessionId, input: makes(write('a')) })
  const { id: approvalId, shownHash } = await askedAbout(bob, '"a"')
  const rule = { lasts: 'always', covers: 'tool' } as const
  const yes = { approvalId, shownHash, type: 'allow', ...rule } as const
  expect((await mallory.answerApproval(yes)).type).toBe('accepted')
  await done('a')
  const other = await newSession(mallory)
  await mallory.send({ sessionId: other, input: makes(write('evil')) })
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory)
  // For everybody else it holds.
  await ann.send({ sessionId, input: makes(write('b')), wait: true })
  expect(site.read('root/b')).toBe('x')
})

test('T26 what a sub-agent does is asked for by all who had a say in the turn it works for', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  const task = makes(write('a'))
  const tasks = [{ agent: 'helper', task }]
  await ann.send({ sessionId, input: `WAIT ${makes(look)}` })
  await model.waiting
  const hand = { tool: 'delegate', args: { tasks } }
  await mallory.steer({ sessionId, input: makes(hand), key: 'k' })
  model.go()
  await isOnlyFor(bob, await askedAbout(bob, '"a"'), mallory, ann)
})

test('T26 words into what a sub-agent does are words into the turn that waits for it', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  const tasks = [{ agent: 'helper', task: makes(write('a')) }]
  const hand = { tool: 'delegate', args: { tasks } }
  await ann.send({ sessionId, input: makes(hand) })
  const first = await askedAbout(bob, '"a"')
  const words = says(makes(write('evil')))
  await mallory.answerApproval(deny(first, words))
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
})

test('T26 words into a task in the background are words into the turn that hears of it', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(ann)
  const tasks = [{ agent: 'helper', task: `WAIT ${makes(look)}` }]
  const hand = { tool: 'delegate', args: { tasks, background: true } }
  await ann.send({ sessionId, input: makes(hand), wait: true })
  const task = await until(async () => {
    return (await mallory.listSessions({ parentId: sessionId })).items[0]
  })
  const input = says(makes(write('evil')))
  await model.waiting
  await mallory.steer({ sessionId: task.id, input, key: 'k' })
  model.go()
  await isOnlyFor(bob, await askedAbout(bob, '"evil"'), mallory, ann)
})

test('T26 nobody hangs words of their own on the end of a task', async () => {
  const { ann, mallory } = people
  const sessionId = await newSession(ann)
  const tasks = [{ agent: 'helper', task: 'WAIT' }]
  const hand = { tool: 'delegate', args: { tasks, background: true } }
  await ann.send({ sessionId, input: makes(hand), wait: true })
  const { items } = await mallory.listWakes({})
  const event = String(
    items.find(({ createdBy }) => createdBy === 'system:tasks')?.event,
  )
  const wake = { event, agent: 'main', prompt: makes(write('evil')) }
  const made = mallory.createWake(wake)
  await expect(made).rejects.toMatchObject({ code: 'bad-request' })
  model.go()
})

test('T26 to ask for the same once more makes it nobody else’s', async () => {
  const { ann, bob, mallory } = people
  const sessionId = await newSession(mallory)
  const asked = { sessionId, input: makes(write('a')), key: 'k' }
  await mallory.send(asked)
  await askedAbout(bob, '"a"')
  // Whoever repeats it asks for it, too, but gets no turn of their own.
  await ann.send(asked)
  await isOnlyFor(bob, await askedAbout(bob, '"a"'), mallory)
})

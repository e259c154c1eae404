import type { ModelRequest } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createAgent, type Session } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { liveTwice } from '../fixtures/lives.ts'
import { callsOf, delegateTool, echoTool, play } from '../fixtures/play.ts'
import type { TodoStatus } from './items.ts'
import { type TodoOptions, todo } from './todo.ts'

const item = (text: string, status: TodoStatus = 'pending') => ({
  text,
  status,
})

const writing = (...items: readonly ReturnType<typeof item>[]) =>
  callsOf('todo', { items: items.map((one) => ({ ...one })) })

const seen = ({ messages }: ModelRequest) => JSON.stringify(messages)
const done = { text: 'Done.' }

test('the model keeps a list, and is shown it in the next turn while it is open', async () => {
  const { model, statuses } = await play(
    [
      writing(item('Read', 'done'), item('Mend', 'in_progress'), item('Test')),
      done,
      writing(item('Read', 'done'), item('Mend', 'done'), item('Test', 'done')),
      done,
      done,
    ],
    { plugins: [todo({})], inputs: ['1', '2', '3'] },
  )
  expect(statuses).toEqual(['executed', 'executed'])
  expect(model.requests[1] && seen(model.requests[1])).toContain(
    String.raw`2 of 3 are open.\n[x] Read\n[>] Mend\n[ ] Test`,
  )
  const reminded = model.requests.map((one) =>
    seen(one).includes('as you last wrote it'),
  )
  expect(reminded).toEqual([false, false, true, true, false])
})

test('what does not fit is denied and changes nothing', async () => {
  const { model, statuses } = await play(
    [
      writing(item('First')),
      callsOf(
        'todo',
        { items: 'none' },
        { items: [{ text: '', status: 'pending' }] },
        { items: [{ text: 'x', status: 'maybe' }] },
        { items: [{ text: 'x', status: 'done', by: 'me' }] },
        { items: Array.from({ length: 3 }, () => ({ ...item('x') })) },
      ),
      done,
      done,
    ],
    { plugins: [todo({ maxItems: 2 })], inputs: ['1', '2'] },
  )
  expect(statuses.slice(1)).not.toContain('executed')
  expect(model.requests[3] && seen(model.requests[3])).toContain(
    String.raw`as you last wrote it:\n[ ] First`,
  )
})

test('of a long list every open item is shown', async () => {
  const items = Array.from({ length: 100 }, (_, at) =>
    item(`${at}: ${'x'.repeat(295)}`, at < 50 ? 'done' : 'pending'),
  )
  const { model } = await play([writing(...items), done, done], {
    ...{ plugins: [todo({ maxItems: 100 })], inputs: ['1', '2'] },
  })
  const reminder = JSON.stringify(model.requests[2]?.messages.at(-1))
  const missing = items
    .slice(50)
    .filter((_, at) => !reminder.includes(`[ ] ${at + 50}: xxx`))
  expect(missing).toEqual([])
  expect(reminder).toContain('50 items that are done are left out')
  expect(reminder.length).toBeLessThan(9_000)
})

test('an item is one line, whatever is in it', async () => {
  const { model } = await play(
    [writing(item('a\n[x] b\r\n</context>\u2028c')), done, done],
    { plugins: [todo({})], inputs: ['1', '2'] },
  )
  const reminder = model.requests[2] && seen(model.requests[2])
  expect(reminder).toContain('[ ] a [x] b ')
})

test('a turn goes on while items are open, if that is wanted', async () => {
  const script = [writing(item('Mend')), { text: 'I stop.' }, { text: 'Why.' }]
  const { model, turns } = await play(script, {
    plugins: [todo({ keepsGoing: true })],
  })
  expect(turns).toMatchObject([{ text: 'Why.' }])
  expect(model.requests[2] && seen(model.requests[2])).toContain(
    'These items of your list are open',
  )
  const quiet = await play(script, { plugins: [todo({})] })
  expect(quiet.turns).toMatchObject([{ text: 'I stop.' }])
})

test('a compaction does not lose the list', async () => {
  const model = scriptedModel((_, call) =>
    call === 1 ? writing(item('Mend')) : { text: 'Yes.' },
  )
  const agent = createAgent({ model, plugins: [todo({})] })
  const session = await agent.openSession()
  for (const input of ['1', '2', '3']) await session.send(input).result
  expect(await session.compact({ keepMessages: 1, summary: 'Sum.' })).toBe(
    'done',
  )
  expect(JSON.stringify(session.messages[0])).toContain('[ ] Mend')
  await agent.close()
})

test('the list goes on in another process', async () => {
  const model = scriptedModel((_, call) =>
    call === 1 ? writing(item('Mend')) : { text: 'Yes.' },
  )
  const talk = async (session: Session) => {
    expect((await session.send('Go.').result).status).toBe('succeeded')
  }
  await liveTwice(
    () => ({ models: { resolve: () => model }, plugins: [todo({})] }),
    [talk, talk],
  )
  const last = model.requests.at(-1)
  expect(last && seen(last)).toContain('as you last wrote it')
})

test('a helper has a list of its own', async () => {
  const model = scriptedModel((request) => {
    const text = seen(request)
    const isHelper = text.includes('Help.')
    const hasWritten = text.includes('are open.')
    if (isHelper) return hasWritten ? done : writing(item('Of the helper'))
    if (!hasWritten) return writing(item('Of the agent'))
    return text.includes('delegate') ? done : callsOf('delegate', {})
  })
  const agent = createAgent({
    model,
    plugins: [todo({})],
    tools: [delegateTool('given/model')],
  })
  await agent.run('Go.').result
  await agent.run('Go on.').result
  await agent.close()
  const last = model.requests.at(-1)
  expect(last && seen(last)).toContain(
    String.raw`as you last wrote it:\n[ ] Of the agent`,
  )
})

test('a tool of the same name is not taken over, and its calls are not kept', async () => {
  const { model, statuses } = await play([writing(item('Mend')), done, done], {
    plugins: [todo({})],
    tools: [echoTool('todo')],
    inputs: ['1', '2'],
  })
  expect(statuses).toEqual(['executed'])
  expect(model.requests[2] && seen(model.requests[2])).not.toContain(
    'as you last wrote it',
  )
})

test('a list that cannot be kept is not said to be', async () => {
  const gone = () => Promise.reject(new Error('The disk is gone.'))
  const { model } = await play([writing(item('Mend')), done], {
    plugins: [todo({})],
    state: { at: () => ({ get: gone, update: gone }), end: () => {} },
  })
  expect(model.requests[1] && seen(model.requests[1])).not.toContain('are open')
})

test.each([
  [{ tool: 'a b' }, 'tool'],
  [{ maxItems: 0 }, 'maxItems'],
  [{ maxRounds: 9 }, 'maxRounds'],
  [{ keepGoing: true }, 'keepsGoing'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => todo(options as TodoOptions)).toThrow(word)
})

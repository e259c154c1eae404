import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { createRuntime, type TurnHandle } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { createDelegatePlugin } from '../delegate/create-delegate-plugin.ts'
import { createAskUserPlugin } from './create-ask-user-plugin.ts'
import {
  problemOfAnswers,
  type UserAnswer,
  type UserQuestion,
} from './questions.ts'
import { type PendingQuestions, UserQuestions } from './user-questions.ts'

const color: UserQuestion = {
  id: 'color',
  header: 'Color',
  question: 'Which color?',
  options: [{ label: 'red' }, { label: 'blue' }],
}
const red: UserAnswer = { id: 'color', selected: ['red'] }

interface Given {
  readonly questions?: readonly UserQuestion[]
  readonly calls?: number
  readonly isConnected?: boolean
  readonly maxWallMs?: number
}

async function open({
  questions = [color],
  calls = 1,
  isConnected = true,
  maxWallMs,
}: Given = {}) {
  const clock = createFakeClock()
  const broker = new UserQuestions({ clock, reconnectMs: 1_000 })
  const model = scriptedModel([
    {
      calls: Array.from({ length: calls }, (_, index) => ({
        tool: 'ask_user',
        id: `call-${index + 1}`,
        args: { questions },
      })),
    },
    { text: 'Done.' },
  ] as never)
  const runtime = createRuntime({
    clock,
    models: { resolve: () => model },
    plugins: [createAskUserPlugin({ questions: broker })],
  })
  await runtime.register({
    name: 'main',
    model: 'x',
    instructions: '',
    ...(maxWallMs !== undefined && { limits: { maxWallMs } }),
  })
  const session = await runtime.openSession({ agent: 'main', id: 's' })
  const leave = isConnected ? broker.connect('s') : () => {}
  const asked: PendingQuestions[] = []
  const all = Promise.withResolvers<void>()
  broker.onAsked((pending) => {
    asked.push(pending)
    if (asked.length === calls) all.resolve()
  })
  const told = async ({ result }: TurnHandle) => {
    const { status } = await result
    const last = model.requests.at(-1)?.messages.at(-1)
    return { status, told: last?.role === 'tool' ? last.content : [] }
  }
  return { broker, session, clock, leave, asked, all: all.promise, told, model }
}

const at = (callId: string) => ({ sessionId: 's', callId })
const text = (said: string) => [{ type: 'text', text: said }]

describe('a question to the user', () => {
  test('waits for as long as it takes, and its answer goes to the model', async () => {
    const { broker, session, clock, asked, all, told } = await open({
      maxWallMs: 60_000,
    })
    const turn = session.send('Go.')
    await all
    expect(asked).toMatchObject([{ callId: 'call-1', sessionId: 's' }])
    expect(broker.pending('s')).toHaveLength(1)
    // Longer than any grant, and than the turn itself may take.
    await clock.advance(3 * 24 * 3_600_000)
    expect(broker.answer(at('call-1'), [red])).toEqual({ type: 'accepted' })
    expect(await told(turn)).toMatchObject({
      status: 'succeeded',
      told: [{ isError: false, content: text('Color: red') }],
    })
    expect(broker.pending()).toEqual([])
  })

  test('several are open at once, and each has its own answer', async () => {
    const { broker, session, all, told } = await open({ calls: 3 })
    const turn = session.send('Go.')
    await all
    for (const [call, label] of [
      ['call-3', 'blue'],
      ['call-1', 'red'],
      ['call-2', 'blue'],
    ] as const) {
      const answer = { id: 'color', selected: [label] }
      expect(broker.answer(at(call), [answer]).type).toBe('accepted')
    }
    expect((await told(turn)).told).toMatchObject([
      { content: text('Color: red') },
      { content: text('Color: blue') },
      { content: text('Color: blue') },
    ])
  })

  test('an answer that comes early is kept; one more, or a late one, changes nothing', async () => {
    const { broker, session, told } = await open()
    expect(broker.answer(at('call-1'), [red])).toEqual({ type: 'early' })
    const blue = { id: 'color', selected: ['blue'] }
    expect(broker.answer(at('call-1'), [blue])).toEqual({ type: 'early' })
    const { told: results } = await told(session.send('Go.'))
    expect(results).toMatchObject([{ content: text('Color: red') }])
    expect(broker.answer(at('call-1'), [blue])).toEqual({ type: 'late' })
  })

  test('an answer that is none leaves the question open', async () => {
    const { broker, session, all, told } = await open()
    const turn = session.send('Go.')
    await all
    const green = { id: 'color', selected: ['green'] }
    expect(broker.answer(at('call-1'), [green])).toMatchObject({
      type: 'invalid',
    })
    expect(broker.answer(at('call-1'), [])).toMatchObject({ type: 'invalid' })
    expect(broker.pending()).toHaveLength(1)
    expect(broker.answer(at('call-1'), [red]).type).toBe('accepted')
    expect((await told(turn)).status).toBe('succeeded')
  })

  test('may be dismissed', async () => {
    const { broker, session, all, told } = await open()
    const turn = session.send('Go.')
    await all
    expect(broker.dismiss(at('call-1'))).toBe(true)
    expect(broker.dismiss(at('call-1'))).toBe(false)
    expect((await told(turn)).told).toMatchObject([
      { isError: true, content: text('The user does not want to answer.') },
    ])
  })

  test('is answered by nobody when the user left, but not while they come back', async () => {
    const { broker, session, clock, leave, all, told } = await open()
    const turn = session.send('Go.')
    await all
    leave()
    await clock.advance(999)
    const leaveAgain = broker.connect('s')
    await clock.advance(5_000)
    expect(broker.pending()).toHaveLength(1)
    leaveAgain()
    leaveAgain()
    await clock.advance(1_000)
    const { told: results } = await told(turn)
    expect(results).toMatchObject([{ isError: true }])
    expect(JSON.stringify(results)).toContain('The user left')
    expect(broker.answer(at('call-1'), [red]).type).toBe('late')
  })

  test('is refused at once where nobody is there', async () => {
    const { session, told } = await open({ isConnected: false })
    const { status, told: results } = await told(session.send('Go.'))
    expect(status).toBe('succeeded')
    expect(results).toMatchObject([{ isError: true }])
    expect(JSON.stringify(results)).toContain('Nobody is there')
  })

  test('ends with the turn that asked it', async () => {
    const { broker, session, all } = await open()
    const turn = session.send('Go.')
    await all
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
    expect(broker.pending()).toEqual([])
  })

  test.each([
    ['the same id', [color, color], 'the same id'],
    [
      'the same label',
      [{ ...color, options: [{ label: 'a' }, { label: 'a' }] }],
      'the same label',
    ],
  ])('two with %s are told to be wrong', async (_, questions, said) => {
    const { session, told } = await open({ questions })
    const { told: results } = await told(session.send('Go.'))
    expect(JSON.stringify(results)).toContain(said)
  })
})

test('an agent that works for another cannot ask, and is told so', async () => {
  const broker = new UserQuestions()
  const child = scriptedModel([
    { calls: [{ tool: 'ask_user', args: { questions: [color] } }] },
    { text: 'I went on.' },
  ] as never)
  const parent = scriptedModel([
    {
      calls: [
        {
          tool: 'delegate',
          args: { tasks: [{ agent: 'child', task: 'Go.' }] },
        },
      ],
    },
    { text: 'Done.' },
  ] as never)
  const runtime = createRuntime({
    models: { resolve: (name) => (name === 'child' ? child : parent) },
    plugins: [
      createAskUserPlugin({ questions: broker }),
      createDelegatePlugin(),
    ],
  })
  await runtime.register({ name: 'child', model: 'child', instructions: '' })
  await runtime.register({ name: 'main', model: 'main', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id: 's' })
  broker.connect('s')
  expect((await session.send('Go.').result).text).toBe('Done.')
  expect(JSON.stringify(child.requests[1]?.messages.at(-1))).toContain(
    'You work for another agent',
  )
})

describe('answers', () => {
  const many = { ...color, multiSelect: true }
  const open_ = { id: 'why', header: 'Why', question: 'Why?' }
  const either = { ...color, allowText: true }
  const cases: readonly [
    string,
    UserQuestion,
    Omit<UserAnswer, 'id'>,
    string | undefined,
  ][] = [
    ['one option', color, { selected: ['red'] }, undefined],
    ['no option', color, { selected: [] }, 'exactly one'],
    ['two options of one', color, { selected: ['red', 'blue'] }, 'exactly one'],
    ['an unknown option', color, { selected: ['green'] }, 'no option'],
    ['text for an option', color, { text: 'green' }, 'takes no text'],
    ['several options', many, { selected: ['red', 'blue'] }, undefined],
    ['none of several', many, { selected: [] }, undefined],
    ['one option twice', many, { selected: ['red', 'red'] }, 'twice'],
    ['text', open_, { text: 'Because.' }, undefined],
    ['blank text', open_, { text: ' \n' }, 'nothing'],
    ['endless text', open_, { text: 'x'.repeat(10_001) }, 'at most'],
    ['an option of either', either, { selected: ['red'] }, undefined],
    ['text of either', either, { text: 'green' }, undefined],
    ['both of either', either, { selected: ['red'], text: 'x' }, 'exactly one'],
  ]
  test.each(cases)('%s', (_, question, answer, problem) => {
    const found = problemOfAnswers([question], [{ id: question.id, ...answer }])
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  test('one question answered twice, and another one not at all', () => {
    const found = problemOfAnswers([color, open_], [red, red])
    expect(found).toContain('needs one answer')
  })
})

import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { type PendingQuestions, UserQuestions } from './user-questions.ts'

const questions = [{ id: 'why', header: 'Why', question: 'Why?' }] as const
const asked = (sessionId: string, callId = 'call-1'): PendingQuestions => ({
  ...{ sessionId, callId, agent: 'main', questions },
})
const says = (text: string) => [{ id: 'why', text }]
const never = new AbortController().signal

function open() {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const broker = new UserQuestions({
    clock,
    reconnectMs: 1_000,
    onError: (error) => errors.push(error),
  })
  return { clock, broker, errors }
}

describe('two sessions whose models give calls the same id', () => {
  test('each have their own answers, early or not', async () => {
    const { broker } = open()
    for (const session of ['a', 'b', 'c']) broker.connect(session)
    expect(broker.answer(asked('c'), says('c')).type).toBe('early')
    const a = broker.ask(asked('a'), never)
    const b = broker.ask(asked('b'), never)
    expect(broker.pending()).toHaveLength(2)
    expect(broker.answer(asked('b'), says('b')).type).toBe('accepted')
    expect(broker.pending('a')).toHaveLength(1)
    expect(broker.answer(asked('a'), says('a')).type).toBe('accepted')
    expect(await a).toMatchObject({ answers: says('a') })
    expect(await b).toMatchObject({ answers: says('b') })
    const c = await broker.ask(asked('c'), never)
    expect(c).toMatchObject({ answers: says('c') })
  })

  test('of a flood of early answers only those of its session go', async () => {
    const { broker } = open()
    broker.connect('a')
    broker.answer(asked('a'), says('mine'))
    for (let index = 0; index < 5_000; index++) {
      broker.answer(asked('b', `call-${index}`), says('x'))
    }
    const end = await broker.ask(asked('a'), never)
    expect(end).toMatchObject({ answers: says('mine') })
  })
})

test('a call that asks again leaves nobody waiting for the first', async () => {
  const { broker } = open()
  broker.connect('a')
  const first = broker.ask(asked('a'), never)
  const second = broker.ask(asked('a'), never)
  expect(await first).toMatchObject({ type: 'dismissed' })
  broker.answer(asked('a'), says('x'))
  expect(await second).toMatchObject({ type: 'answered' })
})

test.each([
  ['nothing', null],
  ['no list', { length: 1 }],
  ['a list of nothing', [null]],
  ['an id that is none', [{ id: 1, text: 'x' }]],
  ['text that is none', [{ id: 'why', text: 5 }]],
  ['options that are none', [{ id: 'why', selected: 'abc' }]],
  ['options of the prototype', [{ id: 'why', selected: [{}] }]],
  ['too many', Array.from({ length: 1_000 }, () => says('x')[0])],
])('answers that are %s are refused, early or not', async (_, given) => {
  const { broker } = open()
  broker.connect('a')
  expect(broker.answer(asked('a'), given).type).toBe('invalid')
  const end = broker.ask(asked('a'), never)
  expect(broker.answer(asked('a'), given).type).toBe('invalid')
  expect(broker.answer(asked('a'), says('x')).type).toBe('accepted')
  expect(await end).toMatchObject({ type: 'answered' })
})

test('an answer is not changed by whoever gave it', async () => {
  const { broker } = open()
  broker.connect('a')
  const answer = { id: 'why', text: 'before' }
  broker.answer(asked('a'), [answer])
  answer.text = 'after'
  const end = await broker.ask(asked('a'), never)
  expect(end).toMatchObject({ answers: says('before') })
})

test('a listener that throws keeps the question from nobody', async () => {
  const { broker, errors } = open()
  broker.connect('a')
  const heard: string[] = []
  broker.onAsked(() => {
    throw new Error('broken')
  })
  broker.onAsked(({ callId }) => heard.push(callId))
  const end = broker.ask(asked('a'), never)
  expect(heard).toEqual(['call-1'])
  expect(errors).toMatchObject([{ message: 'broken' }])
  broker.answer(asked('a'), says('x'))
  expect(await end).toMatchObject({ type: 'answered' })
})

describe('whoever comes and goes', () => {
  test('has all the time to come back since the last time', async () => {
    const { broker, clock } = open()
    const leave = broker.connect('a')
    const end = broker.ask(asked('a'), never)
    leave()
    await clock.advance(900)
    broker.connect('a')()
    await clock.advance(900)
    expect(broker.pending('a')).toHaveLength(1)
    await clock.advance(100)
    expect(await end).toMatchObject({ type: 'nobody' })
  })

  test('is waited for when a question comes in between', async () => {
    const { broker, clock } = open()
    broker.connect('a')()
    const end = broker.ask(asked('a'), never)
    expect(broker.pending('a')).toHaveLength(1)
    await clock.advance(1_000)
    expect(await end).toMatchObject({ type: 'nobody' })
  })

  test('leaves one timer at most, however often', async () => {
    const { broker, clock } = open()
    for (let index = 0; index < 1_000; index++) broker.connect('a')()
    expect(clock.pending).toBe(1)
    broker.connect('a')
    expect(clock.pending).toBe(0)
  })
})

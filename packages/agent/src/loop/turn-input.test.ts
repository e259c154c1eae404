import { defineHook, proceed, reject, replace, transform } from 'hookline'
import {
  type TurnContentInput,
  turnInput,
  turnPreTurn,
  type UserContent,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { noteEnds, telling } from '../runtime/fixtures/hooks.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import { eventsOf, openStage } from '../runtime/fixtures/stage.ts'

const hello = { text: 'Hello.' }

function text(content: UserContent): string {
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('')
}

function said(words: string): UserContent {
  return [{ type: 'text', text: words }]
}

function rewriting(
  name: string,
  priority: number,
  write: (words: string) => string,
) {
  return defineHook({
    name,
    on: turnInput,
    priority,
    writes: true,
    run: ({ content }) => transform(said(write(text(content)))),
  })
}

describe('turn.input', () => {
  test('each hook rewrites what the one before it has left', async () => {
    const { say, session, model, events } = await openStage([hello], {
      hooks: [
        rewriting('second', 2, (words) => `${words}!`),
        rewriting('first', 1, (words) => words.toUpperCase()),
      ],
    })
    await say('hi')
    expect(brief(session.messages)).toEqual(['user: HI!', 'assistant: Hello.'])
    expect(brief(model.requests[0]?.messages ?? [])).toEqual(['user: HI!'])
    expect(eventsOf(events, 'turn-input')).toMatchObject([
      { content: said('HI!'), isSteering: false },
    ])
    expect(eventsOf(events, 'hook-replace').map(({ hook }) => hook)).toEqual([
      'first',
      'second',
    ])
  })

  test('a replaced input is used as it is', async () => {
    const replacing = defineHook({
      name: 'replacing',
      on: turnInput,
      priority: 1,
      writes: true,
      run: () => replace(said('/help')),
    })
    const { say, session } = await openStage([hello], {
      hooks: [replacing, rewriting('late', 2, () => 'never')],
    })
    await say('hi')
    expect(brief(session.messages)[0]).toBe('user: /help')
  })

  test('all blocks of an input are seen and kept', async () => {
    const seen: TurnContentInput[] = []
    const content: UserContent = [
      { type: 'text', text: 'Look:' },
      {
        type: 'image',
        mediaType: 'image/png',
        source: { type: 'base64', data: 'AA==' },
      },
      {
        type: 'file',
        mediaType: 'text/csv',
        source: { type: 'url', url: 'https://x.example/a.csv' },
        name: 'a.csv',
      },
    ]
    const looking = defineHook({
      name: 'looking',
      on: turnInput,
      run: (input) => {
        seen.push(input)
        return proceed
      },
    })
    const { say, session, model } = await openStage([hello], {
      hooks: [looking],
    })
    await say(content)
    expect(seen).toEqual([{ content }])
    expect(session.messages[0]).toEqual({ role: 'user', content })
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content }])
  })

  test('context goes before what the user said, in this turn only', async () => {
    const { say, session, model } = await openStage([hello, hello], {
      hooks: [telling(turnInput, 'Be kind.')],
    })
    await say('a')
    await say('b')
    const shown = brief(model.requests[1]?.messages ?? [])
    expect(shown.slice(0, 2)).toEqual(['user: a', 'assistant: Hello.'])
    expect(shown[2]).toMatch(
      /^user: <context [^>]*>\nBe kind\.\n<\/context> \| b$/,
    )
    expect(brief(session.messages).join()).not.toContain('Be kind.')
  })
})

describe('an input that is refused', () => {
  const cases = [
    ['turn.input', turnInput],
    ['turn.pre_turn', turnPreTurn],
  ] as const

  test.each(cases)('at %s never enters the conversation', async (_, on) => {
    const log: string[] = []
    const refusing = defineHook({
      name: 'refusing',
      on: on as typeof turnPreTurn,
      match: ({ content }) => text(content) === 'bad',
      run: () => reject('Not this.'),
    })
    const { say, session, model, events } = await openStage([hello, hello], {
      hooks: [refusing, noteEnds(log)],
    })
    await say('good')
    const before = session.messages
    const result = await say('bad')
    expect(result).toMatchObject({
      status: 'rejected',
      reason: 'Not this.',
      text: '',
      steps: 0,
    })
    expect(session.messages).toEqual(before)
    expect(model.requests).toHaveLength(1)
    expect(log).toEqual(['succeeded', 'rejected'])
    const told = events.filter(({ turnId }) => turnId === result.turnId)
    expect(told.map(({ type }) => type)).toEqual([
      'turn-start',
      'hook-withhold',
      'turn-end',
    ])
    await say('good')
    expectPaired(session.messages)
  })

  test('is told with its author and its reason, and without its words', async () => {
    const refusing = defineHook({
      name: 'refusing',
      on: turnInput,
      run: () => reject('Not this.'),
    })
    const { say, events } = await openStage([], { hooks: [refusing] })
    await say('my secret')
    expect(eventsOf(events, 'hook-withhold')).toMatchObject([
      { hook: 'refusing', point: 'turn.input', reason: 'Not this.' },
    ])
    expect(JSON.stringify(events)).not.toContain('my secret')
  })
})

test('turn.pre_turn judges the bytes that will enter', async () => {
  const seen: string[] = []
  const judging = defineHook({
    name: 'judging',
    on: turnPreTurn,
    run: ({ content }) => {
      seen.push(text(content))
      return text(content).includes('rm') ? reject('No.') : proceed
    },
  })
  const { say } = await openStage([hello], {
    hooks: [
      judging,
      rewriting('alias', 1, (words) => words.replace('x', 'rm')),
    ],
  })
  expect((await say('x -rf')).status).toBe('rejected')
  expect(seen).toEqual(['rm -rf'])
})

test('an input without any content leaves a history that alternates', async () => {
  const { say, session } = await openStage([hello, hello])
  await say([])
  await say('b')
  expectPaired(session.messages)
})

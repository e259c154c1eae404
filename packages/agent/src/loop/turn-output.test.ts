import { defineHook, proceed, reject, respond, transform } from 'hookline'
import {
  llmPostCall,
  type Reply,
  type TurnErrorInput,
  turnError,
  turnOutput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { breaking, noteEnds } from '../runtime/fixtures/hooks.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import { eventsOf, gate, openStage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

const failure = { error: { code: 'invalid_request' } } as const

function words(text: string): Reply {
  return [{ type: 'text', text }]
}

const withholding = defineHook({
  name: 'withholding',
  on: turnOutput,
  run: () => reject('A secret.'),
})

function recovering(seen: TurnErrorInput[] = []) {
  return defineHook({
    name: 'recovering',
    on: turnError,
    run: (input) => {
      seen.push(input)
      return respond(words('Sorry.'))
    },
  })
}

describe('turn.output', () => {
  test('a reject withholds the last reply from history, stream and result', async () => {
    const log: string[] = []
    const { say, session, events } = await openStage(
      [{ text: 'The key is 7.' }],
      {
        hooks: [withholding, noteEnds(log)],
      },
    )
    const result = await say('Tell.')
    expect(result).toMatchObject({
      status: 'withheld',
      reason: 'A secret.',
      text: '[withheld: A secret.]',
    })
    expect(result.error).toBeUndefined()
    expect(brief(session.messages)).toEqual([
      'user: Tell.',
      'assistant: [withheld: A secret.]',
    ])
    expect(log).toEqual(['withheld'])
    expect(JSON.stringify(events)).not.toContain('The key is 7.')
    expect(eventsOf(events, 'turn-end')).toMatchObject([
      { status: 'withheld', reply: words('[withheld: A secret.]') },
    ])
  })

  test('a reply that llm.post_call withheld is answered in the same way', async () => {
    const hook = defineHook({
      name: 'withholding',
      on: llmPostCall,
      run: () => reject('A secret.'),
    })
    const { say, session, events } = await openStage(
      [{ text: 'The key is 7.' }],
      {
        hooks: [hook],
      },
    )
    expect(await say('Tell.')).toMatchObject({
      status: 'withheld',
      text: '[withheld: A secret.]',
    })
    expect(JSON.stringify(events)).not.toContain('The key is 7.')
    expectPaired(session.messages)
  })

  test('a rewritten reply is what user, history and later turns know', async () => {
    const rewriting = defineHook({
      name: 'rewriting',
      on: turnOutput,
      writes: true,
      run: () => transform(words('The key is ***.')),
    })
    const { say, session, events } = await openStage(
      [{ text: 'The key is 7.' }],
      {
        hooks: [rewriting],
      },
    )
    expect((await say('Tell.')).text).toBe('The key is ***.')
    expect(brief(session.messages)[1]).toBe('assistant: The key is ***.')
    expect(JSON.stringify(events)).not.toContain('The key is 7.')
    const deltas = eventsOf(events, 'text-delta').map(({ text }) => text)
    expect(deltas.join('')).toBe('The key is ***.')
  })

  test('hooks run in descending order, each on what the last has left', async () => {
    const add = (name: string, priority: number) =>
      defineHook({
        name,
        on: turnOutput,
        priority,
        writes: true,
        run: ({ reply }) => {
          const [first] = reply
          const text = first?.type === 'text' ? first.text : ''
          return transform(words(`${text}${name}`))
        },
      })
    const { say } = await openStage([{ text: '>' }], {
      hooks: [add('a', 1), add('b', 2)],
    })
    expect((await say('Go.')).text).toBe('>ba')
  })

  test('it judges the last reply alone', async () => {
    const seen: Reply[] = []
    const looking = defineHook({
      name: 'looking',
      on: turnOutput,
      run: ({ reply }) => {
        seen.push(reply)
        return proceed
      },
    })
    const { say } = await openStage(
      [{ text: 'First', calls: [{ tool: 'read' }] }, { text: 'Last' }],
      { tools: [tool('read')], hooks: [looking] },
    )
    await say('Go.')
    expect(seen).toEqual([words('Last')])
  })
})

describe('turn.error', () => {
  test('is asked once when a turn fails, and its answer is the reply', async () => {
    const seen: TurnErrorInput[] = []
    const log: string[] = []
    const { say, session } = await openStage([failure], {
      hooks: [recovering(seen), noteEnds(log)],
    })
    expect(await say('Go.')).toMatchObject({
      status: 'succeeded',
      text: 'Sorry.',
    })
    expect(seen).toMatchObject([
      { content: words('Go.'), error: { code: 'invalid_request' } },
    ])
    expect(log).toEqual(['succeeded'])
    expect(brief(session.messages)).toEqual(['user: Go.', 'assistant: Sorry.'])
  })

  test('its answer passes turn.output', async () => {
    const { say } = await openStage([failure], {
      hooks: [recovering(), withholding],
    })
    expect(await say('Go.')).toMatchObject({
      status: 'withheld',
      text: '[withheld: A secret.]',
    })
  })

  test('without an answer the error stands', async () => {
    const { say, events } = await openStage([failure])
    const result = await say('Go.')
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request' },
    })
    expect(eventsOf(events, 'turn-end')).toMatchObject([
      { status: 'failed', error: { code: 'invalid_request' } },
    ])
  })

  test('a hook that fails leaves the error of the turn', async () => {
    const log: string[] = []
    const { say } = await openStage([failure], {
      hooks: [breaking(turnError, 'open'), noteEnds(log)],
    })
    expect(await say('Go.')).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request' },
    })
    expect(log).toEqual(['failed'])
  })

  test('is not asked for rejects', async () => {
    const seen: TurnErrorInput[] = []
    const { say } = await openStage([{ text: 'Secret.' }], {
      hooks: [recovering(seen), withholding],
    })
    await say('Go.')
    expect(seen).toEqual([])
  })

  test('is not asked for cancels', async () => {
    const seen: TurnErrorInput[] = []
    const { pass, reached } = gate()
    const { session, runtime } = await openStage(
      () => pass().then(() => ({ text: 'Late.' })),
      { hooks: [recovering(seen)] },
    )
    const turn = session.send('Go.')
    await reached
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
    await runtime.drain()
    expect(seen).toEqual([])
  })

  test('is not asked for limits', async () => {
    const seen: TurnErrorInput[] = []
    const { say } = await openStage([{ calls: [{ tool: 'read' }] }], {
      tools: [tool('read')],
      config: { limits: { maxSteps: 1 } },
      hooks: [recovering(seen)],
    })
    expect((await say('Go.')).status).toBe('limited')
    expect(seen).toEqual([])
  })

  test('is asked when the reply is no value of the schema that was asked for', async () => {
    const seen: TurnErrorInput[] = []
    const { say } = await openStage(() => ({ text: 'no JSON' }), {
      hooks: [
        defineHook({
          name: 'looking',
          on: turnError,
          run: (input) => {
            seen.push(input)
            return proceed
          },
        }),
      ],
    })
    const result = await say('Go.', { output: { type: 'object' } })
    expect(result.status).toBe('failed')
    expect(seen).toMatchObject([{ error: { code: 'invalid-output' } }])
  })

  test('a recovered turn keeps the steps that were committed', async () => {
    const { say, session } = await openStage(
      [{ calls: [{ tool: 'read' }] }, failure],
      { tools: [tool('read')], hooks: [recovering()] },
    )
    expect((await say('Go.')).text).toBe('Sorry.')
    expect(brief(session.messages)).toEqual([
      'user: Go.',
      'assistant: →call-1',
      'tool: ←call-1',
      'assistant: Sorry.',
    ])
  })
})

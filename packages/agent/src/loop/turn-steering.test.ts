import { defineHook, type Hook, proceed, reject, transform } from 'hookline'
import {
  turnInput,
  turnPreTurn,
  turnStop,
  type UserContent,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { breaking, noteEnds } from '../runtime/fixtures/hooks.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import {
  eventsOf,
  gate,
  openStage,
  quiet,
  type StageOptions,
  soon,
} from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

function text(content: UserContent): string {
  return content.map((one) => (one.type === 'text' ? one.text : '')).join('')
}

/** A turn that waits in its first tool, until the test goes on. */
async function midway(options: StageOptions = {}, rest = [{ text: 'Done.' }]) {
  const { pass, reached, open } = gate()
  const slow = tool('slow', () => pass().then(() => 'slow'))
  const stage = await openStage([{ calls: [{ tool: 'slow' }] }, ...rest], {
    ...options,
    tools: [slow],
  })
  const turn = stage.session.send('Go.')
  await reached
  return { ...stage, turn, open }
}

/** A turn whose model has not answered yet, until the test goes on. */
async function answering(
  answers: readonly string[],
  options: StageOptions = {},
) {
  const { pass, reached, open } = gate()
  const stage = await openStage(async (_, call) => {
    if (call === 1) await pass()
    return { text: answers[call - 1] ?? 'No more.' }
  }, options)
  const turn = stage.session.send('Go.')
  await reached
  return { ...stage, turn, open }
}

const refusing: Hook = defineHook({
  name: 'refusing',
  on: turnInput,
  match: ({ content }) => text(content) === 'bad',
  run: () => reject('Not this.'),
})

describe('a message while a turn runs', () => {
  test('enters before the next model call, and is told', async () => {
    const { session, turn, open, model, events, runtime } = await midway()
    const steered = session.steer('Hurry.')
    open()
    expect((await turn.result).text).toBe('Done.')
    expect(await steered).toEqual({ type: 'taken' })
    expect(brief(model.requests[1]?.messages ?? [])).toEqual([
      'user: Go.',
      'assistant: →call-1',
      'tool: ←call-1',
      'user: Hurry.',
    ])
    await runtime.drain()
    expect(eventsOf(events, 'turn-input')).toMatchObject([
      { isSteering: false },
      { isSteering: true, content: [{ text: 'Hurry.' }] },
    ])
    expectPaired(session.messages)
  })

  test('T26 makes the turn one of whoever said it, too', async () => {
    const ann = { kind: 'user', id: 'ann' } as const
    const bob = { kind: 'user', id: 'bob' } as const
    const actors: unknown[] = []
    const noting = defineHook({
      name: 'noting',
      on: turnStop,
      run: (_, { scope }) => {
        actors.push(scope.actor)
        return proceed
      },
    })
    const { session, turn, open } = await midway({ hooks: [noting] })
    const all = [ann, bob, bob].map((actor) => session.steer('Hm.', { actor }))
    open()
    await turn.result
    await Promise.all(all)
    expect(actors).toEqual([{ ...ann, besides: [bob] }])
  })

  test('passes turn.input, then turn.pre_turn on what is left', async () => {
    const judged: string[] = []
    const loud = defineHook({
      name: 'loud',
      on: turnInput,
      writes: true,
      run: ({ content }) =>
        transform([{ type: 'text', text: text(content).toUpperCase() }]),
    })
    const judging = defineHook({
      name: 'judging',
      on: turnPreTurn,
      run: ({ content }) => {
        judged.push(text(content))
        return proceed
      },
    })
    const { session, turn, open } = await midway({ hooks: [loud, judging] })
    void session.steer('hurry')
    open()
    await turn.result
    expect(judged).toEqual(['GO.', 'HURRY'])
    expect(brief(session.messages)[3]).toBe('user: HURRY')
  })

  test('that is refused does not enter, and the turn goes on', async () => {
    const { session, turn, open } = await midway({ hooks: [refusing] })
    const steered = session.steer('bad')
    open()
    expect((await turn.result).status).toBe('succeeded')
    expect(await steered).toEqual({ type: 'rejected', reason: 'Not this.' })
    expect(brief(session.messages).join()).not.toContain('bad')
    expectPaired(session.messages)
  })

  test('several enter in their order, in one message', async () => {
    const { session, turn, open } = await midway()
    void session.steer('One.')
    void session.steer('Two.')
    open()
    await turn.result
    expect(brief(session.messages)[3]).toBe('user: One. | Two.')
    expectPaired(session.messages)
  })

  test('keeps a turn going whose model has just finished', async () => {
    const { session, turn, open } = await answering(['One.', 'Two.'])
    const steered = session.steer('And?')
    open()
    expect(await turn.result).toMatchObject({ text: 'Two.', steps: 2 })
    expect(await steered).toEqual({ type: 'taken' })
    expect(brief(session.messages)).toEqual([
      'user: Go.',
      'assistant: One.',
      'user: And?',
      'assistant: Two.',
    ])
  })

  test('that is refused when the model has finished does not ask the model again', async () => {
    const { session, turn, open, model } = await answering(['One.', 'Two.'], {
      hooks: [refusing],
    })
    const steered = session.steer('bad')
    open()
    expect((await turn.result).text).toBe('One.')
    expect(await steered).toMatchObject({ type: 'rejected' })
    expect(model.requests).toHaveLength(1)
    expectPaired(session.messages)
  })

  test('stays in the history when the turn fails after it was taken', async () => {
    const { session, turn, open } = await midway({}, [])
    const steered = session.steer('Hurry.')
    open()
    expect((await turn.result).status).toBe('failed')
    expect(await steered).toEqual({ type: 'taken' })
    expect(brief(session.messages).join()).toContain('Hurry.')
    expectPaired(session.messages)
  })

  test('that keeps a finished turn going leaves alternating roles when that fails', async () => {
    const { pass, reached, open } = gate()
    const { session } = await openStage(async (_, call) => {
      if (call > 1) return { error: { code: 'invalid_request' } }
      await pass()
      return { text: 'One.' }
    })
    const turn = session.send('Go.')
    await reached
    void session.steer('And?')
    open()
    await turn.result
    expectPaired(session.messages)
  })
})

describe('a message that no turn has taken', () => {
  test('becomes a turn of its own when none runs', async () => {
    const { session, runtime, events } = await openStage([{ text: 'Hello.' }])
    const steered = await session.steer('Hi.')
    expect(steered).toMatchObject({ type: 'queued' })
    await quiet(session)
    await runtime.drain()
    expect(brief(session.messages)).toEqual(['user: Hi.', 'assistant: Hello.'])
    const [end] = eventsOf(events, 'turn-end')
    expect(steered).toMatchObject({ turnId: end?.turnId })
  })

  test('becomes the next turn when the one that runs was cancelled', async () => {
    const { session, turn, open } = await midway({}, [{ text: 'Next.' }])
    const steered = session.steer('And now?')
    turn.cancel()
    open()
    await turn.result
    expect(await steered).toMatchObject({ type: 'queued' })
    await quiet(session)
    expect(brief(session.messages).slice(-2)).toEqual([
      'user: And now?',
      'assistant: Next.',
    ])
    expectPaired(session.messages)
  })

  test('does not break the end of a turn when the session is closed', async () => {
    const log: string[] = []
    const { session, turn, open, runtime } = await midway({
      hooks: [noteEnds(log)],
    })
    const steered = session.steer('Hurry.').catch(() => 'refused')
    const closed = session.close()
    open()
    expect((await turn.result).status).toBe('cancelled')
    await closed
    await runtime.drain()
    expect(log).toEqual(['cancelled'])
    expect(await soon(steered)).not.toBe('pending')
  })

  test('whoever waits for it hears of it even if a hook breaks the turn', async () => {
    const broken = {
      ...breaking(turnInput),
      match: ({ content }: { content: UserContent }) => text(content) === 'bad',
    }
    const { session, turn, open } = await midway({ hooks: [broken] })
    const steered = session.steer('bad').catch(() => 'failed')
    open()
    expect((await turn.result).status).toBe('failed')
    expect(await soon(steered)).not.toBe('pending')
  })

  test('whoever waits for it hears of it even if the turn is cancelled meanwhile', async () => {
    const asked = gate()
    const slow = defineHook({
      name: 'asking',
      on: turnInput,
      match: ({ content }) => text(content) === 'Hurry.',
      run: async () => {
        await asked.pass()
        return proceed
      },
    })
    const { session, turn, open } = await midway({ hooks: [slow] })
    const steered = session.steer('Hurry.').catch(() => 'cancelled')
    open()
    await asked.reached
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
    asked.open()
    await quiet(session)
    expect(await soon(steered)).not.toBe('pending')
  })
})

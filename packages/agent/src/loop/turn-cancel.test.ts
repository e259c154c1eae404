import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  toolGuard,
  toolPostCall,
  turnInput,
  turnOutput,
  turnPrePromptContext,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  createMemoryApprovals,
  createMemoryStore,
  createPolicy,
} from '../index.ts'
import { noteEnds } from '../runtime/fixtures/hooks.ts'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import {
  eventsOf,
  gate,
  openStage,
  type Stage,
  type StageOptions,
} from '../runtime/fixtures/stage.ts'
import { endless, tool } from '../runtime/fixtures/tools.ts'

const callRead = { calls: [{ tool: 'read' }] }

/** Waits at a point until the test goes on. */
function waitingAt(on: Hook['on'], pass: () => Promise<void>): Hook {
  return {
    name: 'waiting',
    on,
    run: async () => {
      await pass()
      return proceed
    },
  }
}

/** Starts a turn, cancels it when it is reached, and sees how it ends. */
async function cancelled(stage: Stage, reached: Promise<unknown>) {
  const turn = stage.session.send('Go.')
  await reached
  turn.cancel('Enough.')
  const result = await turn.result
  await stage.runtime.drain()
  return result
}

describe('a cancel', () => {
  const points: readonly [string, Hook['on']][] = [
    ['during turn.input', turnInput],
    ['during the phases of the prompt', turnPrePromptContext],
    ['during llm.pre_call', llmPreCall],
    ['during tool.guard', toolGuard],
  ]

  test.each(points)('F131 %s leaves history as it was', async (_, on) => {
    const { pass, reached, open } = gate()
    const log: string[] = []
    const ran: string[] = []
    const read = tool('read', () => {
      ran.push('read')
      return 'read'
    })
    const stage = await openStage([callRead, { text: 'Done.' }], {
      tools: [read],
      hooks: [waitingAt(on, pass), noteEnds(log)],
    })
    const result = await cancelled(stage, reached)
    open()
    expect(result).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
    expect(result.error).toBeUndefined()
    expect(stage.session.messages).toEqual([])
    expect(ran).toEqual([])
    expect(log).toEqual(['cancelled'])
  })

  test.each([
    ['turn.stop', turnStop],
    ['turn.output', turnOutput],
  ] as const)('during %s drops the reply', async (_, on) => {
    const { pass, reached, open } = gate()
    const log: string[] = []
    const stage = await openStage([{ text: 'Done.' }], {
      hooks: [waitingAt(on, pass), noteEnds(log)],
    })
    const result = await cancelled(stage, reached)
    open()
    expect(result).toMatchObject({ status: 'cancelled', text: '' })
    expect(stage.session.messages).toEqual([])
    expect(log).toEqual(['cancelled'])
    expect(eventsOf(stage.events, 'turn-end')).toMatchObject([{ reply: [] }])
  })

  test('during the model call drops what the model would have said', async () => {
    const { pass, reached, open } = gate()
    const log: string[] = []
    const stage = await openStage(
      () => pass().then(() => ({ text: 'Late.' })),
      { hooks: [noteEnds(log)] },
    )
    const result = await cancelled(stage, reached)
    open()
    expect(result.status).toBe('cancelled')
    expect(stage.session.messages).toEqual([])
    expect(log).toEqual(['cancelled'])
  })

  test('F133 during a tool keeps the call, its result, and says how the turn ended', async () => {
    const { pass, reached } = gate()
    const posts: string[] = []
    const log: string[] = []
    const after = defineHook({
      name: 'after',
      on: toolPostCall,
      run: ({ call, status }) => {
        posts.push(`${call.id} ${status}`)
        return proceed
      },
    })
    const stage = await openStage(
      [{ calls: [{ tool: 'read' }, { tool: 'work' }] }],
      {
        tools: [tool('read'), endless('work', () => void pass())],
        hooks: [after, noteEnds(log)],
      },
    )
    const result = await cancelled(stage, reached)
    expect(result.status).toBe('cancelled')
    expect(posts).toEqual(['call-1 executed', 'call-2 cancelled'])
    expect(brief(stage.session.messages)).toEqual([
      'user: Go.',
      'assistant: →call-1 | →call-2',
      'tool: ←call-1 | ←call-2',
      'assistant: [turn cancelled: Enough.]',
    ])
    expect(log).toEqual(['cancelled'])
  })

  test('F133 of a tool that was started and stopped keeps its step, as it may have acted', async () => {
    const { pass, reached } = gate()
    const stage = await openStage([{ calls: [{ tool: 'work' }] }], {
      tools: [endless('work', () => void pass())],
    })
    await cancelled(stage, reached)
    expect(brief(stage.session.messages)).toEqual([
      'user: Go.',
      'assistant: →call-1',
      'tool: ←call-1',
      'assistant: [turn cancelled: Enough.]',
    ])
  })

  test('during an approval withdraws the question and runs nothing', async () => {
    const asked = gate()
    const ran: string[] = []
    const write = tool(
      'write',
      () => {
        ran.push('write')
        return 'written'
      },
      'mutating',
    )
    const approvals = createMemoryApprovals({
      onQuestion: () => void asked.pass(),
    })
    const stage = await openStage([{ calls: [{ tool: 'write' }] }], {
      tools: [write],
      approvals,
      policy: createPolicy(),
    })
    const result = await cancelled(stage, asked.reached)
    expect(result.status).toBe('cancelled')
    expect(approvals.pending()).toEqual([])
    expect(ran).toEqual([])
    expect(stage.session.messages).toEqual([])
  })

  test('after the turn has ended changes nothing', async () => {
    const log: string[] = []
    const { session, runtime } = await openStage([{ text: 'Done.' }], {
      hooks: [noteEnds(log)],
    })
    const turn = session.send('Go.')
    await turn.result
    turn.cancel()
    await runtime.drain()
    expect((await turn.result).status).toBe('succeeded')
    expect(log).toEqual(['succeeded'])
  })

  test('of one turn leaves the next alone', async () => {
    const { pass, reached, open } = gate()
    let calls = 0
    const stage = await openStage(() =>
      calls++ === 0
        ? pass().then(() => ({ text: 'Late.' }))
        : { text: 'Next.' },
    )
    const first = stage.session.send('One.')
    const second = stage.session.send('Two.')
    await reached
    first.cancel()
    open()
    expect((await second.result).text).toBe('Next.')
    expect(brief(stage.session.messages)).toEqual([
      'user: Two.',
      'assistant: Next.',
    ])
  })
})

describe('every turn', () => {
  let running: ReturnType<Stage['session']['send']> | undefined
  const refusing = (on: Hook['on']): Hook => ({
    name: 'refusing',
    on,
    run: () => reject('No.'),
  })
  const cancelled = async () => {
    // It is there once it has been begun.
    await Promise.resolve()
    running?.cancel()
  }
  const cases: readonly [
    string,
    Parameters<typeof openStage>[0],
    StageOptions,
  ][] = [
    ['succeeded', [{ text: 'Done.' }], {}],
    ['failed', [{ error: { code: 'invalid_request' } }], {}],
    ['limited', [callRead], { config: { limits: { maxSteps: 1 } } }],
    ['rejected', [], { hooks: [refusing(turnPreTurn)] }],
    ['withheld', [{ text: 'Done.' }], { hooks: [refusing(llmPostCall)] }],
    ['cancelled', () => cancelled().then(() => ({ text: 'Late.' })), {}],
  ]

  test.each(cases)(
    'that %s tells turn-end, then asks turn.post_turn once',
    async (status, script, options) => {
      const order: string[] = []
      const after = noteEnds(order)
      const { session, runtime } = await openStage(script, {
        tools: [tool('read')],
        ...options,
        hooks: [after, ...(options.hooks ?? [])],
      })
      const turn = session.send('Go.')
      running = turn
      for await (const { type } of turn) {
        if (type === 'turn-end') order.push(type)
      }
      await runtime.drain()
      expect(order).toEqual(['turn-end', status])
    },
  )

  test('that is over has told an end for every step it began', async () => {
    const { say, events } = await openStage(
      [callRead, { error: { code: 'invalid_request' } }],
      { tools: [tool('read')] },
    )
    await say('Go.')
    const steps = events.filter(({ type }) => type.startsWith('step-'))
    expect(steps.map(({ type }) => type)).toEqual([
      ...['step-start', 'step-end', 'step-start', 'step-end'],
    ])
    expect(events.at(-1)?.type).toBe('turn-end')
  })

  test('that failed after its tools have acted keeps them, and says so', async () => {
    const { say, session } = await openStage(
      [callRead, { error: { code: 'invalid_request', message: 'Nope.' } }],
      { tools: [tool('read')] },
    )
    await say('Go.')
    expect(brief(session.messages)).toEqual([
      'user: Go.',
      'assistant: →call-1',
      'tool: ←call-1',
      'assistant: [turn failed: Nope.]',
    ])
  })

  test('that failed before any tool began leaves history as it was', async () => {
    const { say, session } = await openStage([
      { text: 'Hello.' },
      { error: { code: 'invalid_request' } },
    ])
    await say('Hi.')
    const before = session.messages
    await say('Go.')
    expect(session.messages).toEqual(before)
    expectPaired(session.messages)
  })

  test('keeps only its uncommitted reply to itself', async () => {
    const store = createMemoryStore()
    const { say, session } = await openStage(
      [callRead, { cutAfter: 4, text: 'Half of it.' }],
      { tools: [tool('read')], store, session: { id: 'one' } },
    )
    await say('Go.')
    expect(JSON.stringify(session.messages)).not.toContain('Half')
    expect((await store.load('one'))?.messages).toEqual(session.messages)
  })
})

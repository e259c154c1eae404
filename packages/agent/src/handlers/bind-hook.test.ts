import {
  type Clock,
  compileTable,
  createEngine,
  type Judge,
  plainJudge,
  systemClock,
} from 'hookline'
import { type AgentScope, points } from 'hookline/lifecycle'
import { createFakeClock, toolCall } from 'hookline/testing'
import { expect, test } from 'vitest'
import { lifecycleJudge } from '../runtime/lifecycle-judge.ts'
import { bindHook } from './bind-hook.ts'
import type { HookDefinition } from './definition.ts'
import type { HandlerCall, HandlerReply } from './handler.ts'
import { HandlerFailure } from './handler-failure.ts'

const scope: AgentScope = {
  agent: 'main',
  origin: 'user',
  coreType: 'loop',
  sessionId: 's',
}

const call = toolCall('bash', { command: 'rm -rf build' })

interface Given {
  readonly definition?: Partial<HookDefinition>
  readonly point?: keyof typeof points
  readonly mustNameRun?: boolean
  readonly clock?: Clock
  readonly judge?: Judge
}

/** Asks a hook that is bound to a handler which says this. */
async function ask(
  reply: string | HandlerReply | ((call: HandlerCall) => string) | Error,
  {
    definition = {},
    point = 'tool.pre_call',
    mustNameRun = false,
    clock = systemClock,
    judge = plainJudge,
  }: Given = {},
) {
  const calls: HandlerCall[] = []
  const hook = bindHook(
    {
      on: point,
      writes: point === 'tool.pre_call',
      handler: { type: 'command', argv: ['test'] },
      ...definition,
    },
    {
      name: 'bound',
      point: points[point],
      mustNameRun,
      callModel: () => Promise.reject(new Error('no model')),
      handler: {
        ask: async (one) => {
          calls.push(one)
          if (reply instanceof Error) throw reply
          if (typeof reply === 'function') return { text: reply(one) }
          return typeof reply === 'string' ? { text: reply } : reply
        },
      },
    },
  )
  const records: unknown[] = []
  const engine = createEngine(compileTable([hook]), {
    clock,
    judge,
    records: { end: ({ record }) => records.push(record) },
  })
  const outcome = await engine.run(points[point], call, {
    scope,
  })
  await engine.drain()
  return { outcome, calls, records }
}

test('a handler is told the moment, and what it says is the answer', async () => {
  const { outcome, calls } = await ask('{"type":"reject","reason":"No."}')
  expect(outcome).toMatchObject({ type: 'reject', by: 'bound', reason: 'No.' })
  const { envelope } = calls[0] ?? {}
  expect(envelope).toMatchObject({
    protocol: 'hookline/1',
    point: 'tool.pre_call',
    hook: 'bound',
    scope,
    input: call,
  })
  expect(envelope?.run).toMatch(/\/bound$/)
  expect(envelope?.deadlineMs).toBeGreaterThan(0)
  expect(envelope).not.toHaveProperty('decision')
})

test('F027 one that says nothing lets go on, unless it must answer', async () => {
  expect((await ask('')).outcome.type).toBe('proceed')
  const { outcome, records } = await ask(' \n', {
    definition: { mustAnswer: true },
  })
  const reason = 'hook_error:invalid-answer'
  expect(outcome).toMatchObject({ type: 'reject', reason })
  expect(records).toMatchObject([
    { diagnostics: [{ code: 'handler.missing' }] },
  ])
})

const code = [
  { type: 'module', file: 'gate.ts' },
  { type: 'builtin', name: 'gate' },
] as const

test.each(code)(
  'F027 a $type that returns nothing where there is something to decide has given no answer',
  async (handler) => {
    for (const point of ['tool.guard', 'tool.pre_call'] as const) {
      const { outcome, records } = await ask('', {
        point,
        definition: { handler },
      })
      expect(outcome.type).toBe('reject')
      const message = `It returned nothing, and ${point} is to be answered; return { type: 'proceed' }, which is \`proceed\` of hookline, to go on.`
      expect(records).toMatchObject([
        { diagnostics: [{ code: 'handler.missing', message }] },
      ])
    }
  },
)

test.each(code)(
  'a $type that returns nothing where nothing can be decided goes on',
  async (handler) => {
    const cases = [
      { point: 'turn.pre_prompt_compile', definition: { handler } },
      { point: 'permission.resolved', definition: { handler } },
      {
        point: 'tool.guard',
        definition: { handler, execution: 'record' },
      },
    ] as const
    for (const given of cases) {
      const { outcome, records } = await ask('', given)
      expect(outcome.type).toBe('proceed')
      expect(records).toMatchObject([{ state: 'completed' }])
    }
  },
)

test('one that must answer is told how to', async () => {
  const cases = [
    [{ type: 'command', argv: ['x'] }, 'print an answer'],
    [{ type: 'http', url: 'https://example.com' }, 'send an answer'],
    [{ type: 'module', file: 'x.ts' }, 'return an answer'],
  ] as const
  for (const [handler, words] of cases) {
    const definition = { handler, mustAnswer: true }
    const point = 'turn.pre_prompt_compile'
    const { records } = await ask('', { point, definition })
    const message = `It said nothing, and mustAnswer is set; ${words}.`
    expect(records).toMatchObject([{ diagnostics: [{ message }] }])
  }
})

test('what it changes and what it contributes count', async () => {
  const context = { id: 'x', domain: 'd', content: 'Beware.' }
  const { outcome } = await ask(
    JSON.stringify({
      type: 'transform',
      value: { command: 'ls' },
      contributions: [{ kind: 'context', value: context }],
    }),
    { definition: { capabilities: ['context'] } },
  )
  expect(outcome.value).toMatchObject({ args: { command: 'ls' } })
  expect(outcome.contributions.all).toMatchObject([
    { by: 'bound', kind: 'context', value: context },
  ])
})

test('a contribution that it may not make is a failure', async () => {
  const text = JSON.stringify({
    type: 'proceed',
    contributions: [{ kind: 'section', value: {} }],
  })
  const { outcome } = await ask(text)
  expect(outcome).toMatchObject({ type: 'reject' })
})

test('F030 a veto counts, whatever is printed beside it', async () => {
  for (const text of ['{"type":"proceed"}', 'garbage', '']) {
    const { outcome } = await ask({ text, veto: 'Not today.' })
    expect(outcome).toMatchObject({ type: 'reject', reason: 'Not today.' })
  }
})

test('a veto where nothing can be refused is a failure of the hook', async () => {
  const { outcome, records } = await ask(
    { text: '', veto: 'No.' },
    { point: 'turn.stop' },
  )
  expect(outcome.type).toBe('proceed')
  expect(records).toMatchObject([
    { state: 'failed', diagnostics: [{ code: 'handler.invalid' }] },
  ])
})

test('F028 F029 what is no answer denies where failure is closed, and is told where it is open', async () => {
  const texts = ['null', '"allow"', '{"type":"Allow"}', '{"type":"proceed"} x']
  for (const text of texts) {
    const closed = await ask(text)
    expect(closed.outcome).toMatchObject({ type: 'reject' })
    const open = await ask(text, { definition: { onFailure: 'open' } })
    expect(open.outcome.type).toBe('proceed')
    expect(open.records).toMatchObject([{ failedOpen: true }])
  }
})

test('T24 an answer to another run is none; where several come the same way, each names its own', async () => {
  const other = '{"type":"proceed","run":"other"}'
  const { outcome, records } = await ask(other)
  expect(outcome.type).toBe('reject')
  expect(records).toMatchObject([
    { diagnostics: [{ code: 'handler.wrong-run' }] },
  ])
  const silent = await ask('{"type":"proceed"}', { mustNameRun: true })
  expect(silent.outcome.type).toBe('reject')
  const named = ({ envelope: { run } }: HandlerCall) =>
    JSON.stringify({ type: 'proceed', run })
  const good = await ask(named, { mustNameRun: true })
  expect(good.outcome.type).toBe('proceed')
  const bound = { text: '{"type":"proceed"}', isBound: true }
  const signed = await ask(bound, { mustNameRun: true })
  expect(signed.outcome.type).toBe('proceed')
})

test('one that nobody waits for is told what was decided, and decides nothing', async () => {
  const { outcome, calls, records } = await ask(
    '{"type":"reject","reason":"Late."}',
    { definition: { execution: 'record', writes: false } },
  )
  expect(outcome.type).toBe('proceed')
  expect(calls[0]?.envelope).toMatchObject({ decision: { type: 'proceed' } })
  expect(records).toMatchObject([
    { state: 'completed', diagnostics: [{ code: 'unheard-answer' }] },
  ])
})

test('what goes wrong is a diagnostic of the run, in words of our own', async () => {
  const failure = new HandlerFailure('network', 'The server does not answer.')
  const { records } = await ask(failure)
  expect(records).toMatchObject([
    {
      state: 'failed',
      handler: { id: 'bound', kind: 'command' },
      diagnostics: [
        { code: 'handler.network', message: 'The server does not answer.' },
      ],
    },
  ])
})

test('what is no answer fails as such; what could not be asked is unavailable', async () => {
  const codes = [
    ['garbage', 'invalid-answer'],
    ['{"type":"deny"}', 'invalid-answer'],
    ['{"type":"proceed","run":"another"}', 'invalid-answer'],
    [new HandlerFailure('not-started', 'It is not there.'), 'unavailable'],
    [new HandlerFailure('untrusted', 'Nobody has looked.'), 'unavailable'],
    [new HandlerFailure('network', 'It is refused.'), 'unavailable'],
    [new HandlerFailure('broken-off', 'It broke off.'), 'threw'],
    [new HandlerFailure('bad-exit', 'It exited with 1.'), 'threw'],
  ] as const
  for (const [reply, code] of codes) {
    const { outcome, records } = await ask(reply, { judge: lifecycleJudge })
    expect(outcome).toMatchObject({ type: 'reject', failure: { code } })
    const message =
      code === 'invalid-answer'
        ? 'Hook "bound" gave no valid answer.'
        : `Hook "bound" failed: ${code}.`
    expect(records).toMatchObject([{ failure: { code, message } }])
  }
})

test.each(['open', 'closed'] as const)(
  'what is no answer lets its policy decide (%s), with any judge',
  async (onFailure) => {
    const { outcome, records } = await ask('garbage', {
      definition: { onFailure },
    })
    expect(outcome.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
    const failure = { code: 'invalid-answer' }
    expect(records).toMatchObject([{ state: 'failed', failure }])
  },
)

test('what is no answer fails also where nobody waits', async () => {
  const definition = { execution: 'record' } as const
  const { records } = await ask('garbage', {
    point: 'tool.guard',
    definition,
  })
  expect(records).toMatchObject([{ state: 'failed' }])
})

test('an unknown answer is told which ones its point has', async () => {
  const { records } = await ask('{"type":"deny"}', { point: 'tool.guard' })
  const message = 'It has no known type; use one of: proceed, reject, ask.'
  expect(records).toMatchObject([{ diagnostics: [{ message }] }])
})

test('one whose time is up is told how much it has', async () => {
  const clock = createFakeClock()
  for (const [definition, ms] of [
    [{ timeoutMs: 50 }, 50],
    [{}, 30_000],
  ] as const) {
    const failure = new HandlerFailure('timed-out', 'It took too long.')
    const asking = ask(failure, { definition, clock })
    await clock.advance(ms)
    const { records } = await asking
    const message = `It took too long. Its timeoutMs is ${ms}.`
    expect(records).toMatchObject([{ diagnostics: [{ message }] }])
  }
})

test('a handler whose time is up leaves it to the engine to say so', async () => {
  const clock = createFakeClock()
  const failure = new HandlerFailure('timed-out', 'It took too long.')
  const asking = ask(failure, {
    definition: { timeoutMs: 50 },
    clock,
  })
  await clock.advance(50)
  const { outcome, records } = await asking
  expect(outcome).toMatchObject({ type: 'reject' })
  expect(records).toMatchObject([
    { state: 'timed_out', diagnostics: [{ code: 'handler.timed-out' }] },
  ])
})

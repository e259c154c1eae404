import { points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { AgentError } from '../../ports/agent-error.ts'
import { createPromptHandler } from './create-prompt-handler.ts'
import { askJudge, judgedCall, textsOf } from './fixtures/ask-judge.ts'

const answer = (given: object) => ({
  text: JSON.stringify({
    risk: 'none',
    reason: null,
    question: null,
    ...given,
  }),
})
const allow = answer({ type: 'proceed' })
const deny = answer({ type: 'reject', risk: 'high', reason: 'It deletes.' })

test('a model is asked once, for an answer that the point allows', async () => {
  const { outcome, record, requests, diagnostics } = await askJudge([deny])
  expect(outcome).toMatchObject({ type: 'reject', reason: 'It deletes.' })
  expect(record.state).toBe('completed')
  expect(diagnostics).toEqual([])
  expect(requests).toHaveLength(1)
  const [request] = requests
  expect(request).toMatchObject({ model: 'judge-model', tools: [] })
  expect(request?.settings).toEqual({
    maxOutputTokens: 4_096,
    responseSchema: {
      type: 'object',
      properties: {
        risk: { type: 'string', enum: ['none', 'low', 'high'] },
        type: { type: 'string', enum: ['proceed', 'reject', 'ask'] },
        reason: { type: ['string', 'null'] },
        question: { type: ['string', 'null'] },
      },
      required: ['risk', 'type', 'reason', 'question'],
      additionalProperties: false,
    },
  })
})

test('what it may answer follows from the point and the rights of the hook', async () => {
  const typesOf = async (options: Parameters<typeof askJudge>[1]) => {
    const { requests } = await askJudge([allow], options)
    const schema = requests[0]?.settings.responseSchema
    return {
      types: schema?.['properties'],
      required: schema?.['required'],
    }
  }
  const point = points['tool.pre_call']
  const onlooker = await typesOf({ point })
  expect(onlooker.types).toMatchObject({
    type: { enum: ['proceed', 'respond', 'reject', 'ask', 'endTurn'] },
  })
  expect(onlooker.required).not.toContain('contributions')
  const writer = await typesOf({
    point,
    hook: { writes: true, capabilities: ['notice'] },
  })
  expect(writer.types).toMatchObject({
    type: { enum: expect.arrayContaining(['transform', 'replace']) },
    contributions: {
      items: { anyOf: [{ properties: { kind: { enum: ['notice'] } } }] },
    },
  })
  expect(writer.required).toContain('value')
  const stop = await typesOf({
    point: points['turn.stop'],
    input: { reason: 'end_turn', continues: 0, isVoluntary: true, reply: [] },
    prompt: { template: '{{input.reply}}' },
  })
  expect(stop.types).toMatchObject({ type: { enum: ['proceed', 'keepGoing'] } })
  expect(stop.required).not.toContain('risk')
})

test('a change and a contribution of a hook that may make them are applied', async () => {
  const change = answer({
    type: 'transform',
    value: { command: 'ls build' },
    contributions: [{ kind: 'notice', value: { message: 'Made harmless.' } }],
  })
  const { outcome, record } = await askJudge([change], {
    point: points['tool.pre_call'],
    hook: { writes: true, capabilities: ['notice'] },
  })
  expect(record.state).toBe('completed')
  expect(outcome).toMatchObject({
    type: 'proceed',
    value: { args: { command: 'ls build' } },
  })
  expect(record.contributions).toHaveLength(1)
})

test('F101 a reply that is no answer goes back once, with what is wrong, and the second one counts', async () => {
  const { outcome, requests, diagnostics } = await askJudge([
    { text: 'I would say that it is fine.' },
    deny,
  ])
  expect(outcome).toMatchObject({ type: 'reject', reason: 'It deletes.' })
  expect(diagnostics).toEqual(['prompt-repaired'])
  const [, , said, feedback] = textsOf(requests[1])
  expect(said).toBe('I would say that it is fine.')
  expect(feedback).toMatch(/^That cannot be used\. It is not JSON/)
})

test('F031 a refusal that has no reason, no risk, or more than it may have is a refusal', async () => {
  const refusals = [
    '{"type":"reject"}',
    '{"type":"reject","reason":null,"risk":null}',
    '{"type":"reject","reason":"No.","contributions":[{"kind":"notice","value":{}}]}',
    '{"type":"reject","reason":"No.","n":1e999}',
  ]
  for (const text of refusals) {
    const { outcome, requests } = await askJudge([{ text }], {
      prompt: { mustAgree: true },
      hook: { onFailure: 'open' },
    })
    expect([text, outcome.type]).toEqual([text, 'reject'])
    expect(requests).toHaveLength(1)
  }
})

test('F103 a model that is busy is asked again, with growing waits, within the deadline', async () => {
  const busy = { error: { code: 'overloaded' as const } }
  const slow = { error: { code: 'rate_limited' as const, retryAfterMs: 2_000 } }
  const { outcome, record, diagnostics, requests } = await askJudge([
    ...[busy, slow, busy, deny],
  ])
  expect(outcome.type).toBe('reject')
  expect(record.state).toBe('completed')
  expect(requests).toHaveLength(4)
  expect(diagnostics).toEqual(
    Array.from({ length: 3 }, () => 'prompt-repeated'),
  )
  // 500 ms, the 2 s that were asked for, 2 s.
  expect(record.latencyMs).toBeGreaterThanOrEqual(4_500)
  expect(record.latencyMs).toBeLessThan(5_000)
})

test.for(['closed', 'open'] as const)(
  'F104 an answer that lets pass what it calls a high risk is told; where the two must agree, a person is asked (%s)',
  async (onFailure) => {
    const torn = answer({
      type: 'proceed',
      risk: 'high',
      reason: 'This deletes all data and must never run.',
    })
    const hook = { onFailure }
    const counted = await askJudge([torn], { hook })
    expect(counted.outcome.type).toBe('proceed')
    expect(counted.diagnostics).toEqual(['prompt-contradiction'])
    const asked = await askJudge([torn], { hook, prompt: { mustAgree: true } })
    expect(asked.outcome.type).toBe('ask')
    expect(asked.diagnostics).toEqual(['prompt-contradiction'])
    const agreed = await askJudge([allow], {
      hook,
      prompt: { mustAgree: true },
    })
    expect(agreed.outcome.type).toBe('proceed')
    expect(agreed.diagnostics).toEqual([])
  },
)

test('F104 where nobody can be asked, a contradiction refuses', async () => {
  const torn = answer({ type: 'proceed', risk: 'high' })
  const { outcome } = await askJudge([torn], {
    point: points['turn.pre_turn'],
    input: { content: [{ type: 'text', text: 'hello' }] },
    prompt: { mustAgree: true, template: 'May it?' },
  })
  expect(outcome.type).toBe('reject')
})

test('F104 where the two must agree, a risk that is not said, or not known, is no answer', async () => {
  for (const text of [
    '{"type":"proceed"}',
    '{"type":"proceed","risk":"tiny"}',
  ]) {
    const { outcome, requests, diagnostics } = await askJudge(
      [{ text }, { text }],
      { prompt: { mustAgree: true } },
    )
    expect(outcome.type).toBe('reject')
    expect(requests).toHaveLength(2)
    expect(diagnostics).toContain('handler.invalid')
  }
})

test('F110 a moment that is larger than a prompt may be is a failure; the model is not asked about a part of it', async () => {
  for (const onFailure of ['closed', 'open'] as const) {
    const { outcome, requests, diagnostics } = await askJudge([allow], {
      hook: { onFailure },
      input: {
        ...judgedCall,
        args: { command: `true ${'#'.repeat(200_000)} && rm -rf /` },
      },
    })
    expect(requests).toHaveLength(0)
    expect(diagnostics).toEqual(['handler.too-large'])
    expect(outcome.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
  }
})

test('a prompt has 30 s unless the hook says otherwise, and whoever stops waiting ends it', async () => {
  const stuck = () => ({ waitFor: new Promise(() => {}) })
  const short = await askJudge(stuck, {
    parts: { timeoutMs: 2_000 },
    hook: { onFailure: 'open' },
  })
  expect(short.record.latencyMs).toBeLessThan(2_100)
  expect(short.diagnostics).toContain('handler.timed-out')
  const long = await askJudge(stuck, { hook: { onFailure: 'open' } })
  expect(long.record.latencyMs).toBeGreaterThanOrEqual(29_950)
  expect(long.record.latencyMs).toBeLessThan(30_100)
})

test('F107 a budget that is spent, or that cannot be kept, is a failure of its own', async () => {
  for (const code of ['limit-reached', 'missing-price'] as const) {
    for (const onFailure of ['closed', 'open'] as const) {
      const { outcome, diagnostics } = await askJudge([], {
        hook: { onFailure },
        callModel: () => Promise.reject(new AgentError(code, 'No more.')),
      })
      expect(diagnostics).toEqual(['handler.budget'])
      expect(outcome.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
    }
  }
})

test('F109 a model that nobody knows, and anything else that is thrown, is a failure of the model', async () => {
  const thrown = [
    new AgentError('unknown-model', 'There is no model "judge-model".'),
    new AgentError('invalid-call', 'Hook "judge" is not part of a turn.'),
    new TypeError('oops'),
  ]
  for (const error of thrown) {
    const { outcome, record, diagnostics } = await askJudge([], {
      callModel: () => Promise.reject(error),
    })
    expect(diagnostics).toEqual(['handler.model'])
    expect(record.diagnostics[0]?.message).toContain(error.message)
    expect(outcome.type).toBe('reject')
  }
})

test('what is wrong with a definition is found when the handler is made', () => {
  const create = (template: string, mustAgree = false) =>
    createPromptHandler(
      { type: 'prompt', model: 'm', template, mustAgree },
      { point: points['turn.stop'] },
    )
  expect(() => create('May it?')).not.toThrow()
  expect(() => create('May it?', true)).toThrow(/mustAgree/)
  expect(() => create(' \n')).toThrow(AgentError)
})

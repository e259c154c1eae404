import { Ajv } from 'ajv'
import { definePoint, type Point, type plainJudge, type } from 'hookline'
import { type JsonValue, points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { lifecycleJudge } from '../../runtime/lifecycle-judge.ts'
import { answerSchema } from './answer-schema.ts'
import { envelopeSchema } from './envelope-schema.ts'
import { contributionSchemas } from './schema/contribution-schemas.ts'

const ajv = new Ajv({ strict: true, allowUnionTypes: true })
const all: readonly Point[] = Object.values(points)

const text = { type: 'text', text: 'a' }
const call = { type: 'tool_call', id: '1', tool: 'bash', args: {} }
const image = {
  type: 'image',
  mediaType: 'image/png',
  source: { type: 'base64', data: '' },
}
const response = {
  content: [text, call],
  stopReason: 'tool_calls',
  usage: { inputTokens: 1, outputTokens: 2 },
}
const request = {
  model: 'm',
  messages: [
    { role: 'system', content: [text] },
    { role: 'user', content: [image] },
    { role: 'assistant', content: [call] },
    {
      role: 'tool',
      content: [
        {
          ...{ type: 'tool_result', callId: '1', tool: 'bash' },
          content: [text],
          isError: false,
        },
      ],
    },
  ],
  tools: [{ name: 'bash', description: '', inputSchema: {} }],
  settings: { toolChoice: { tool: 'bash' } },
}
const samples: readonly JsonValue[] = [
  null,
  'text',
  {},
  [],
  [text],
  [image],
  [{ type: 'reasoning', text: 'hm' }],
  [call],
  { content: [text], isError: false, data: null },
  { content: [], isError: true, error: 'denied' },
  { content: [], isError: true },
  { content: 'text', isError: false },
  response,
  { ...response, usage: { inputTokens: -1, outputTokens: 0 } },
  request,
  { ...request, model: '' },
  { ...request, messages: [{ role: 'god', content: [] }] },
  { type: 'retry', afterMs: 5 },
  { type: 'retry', afterMs: -5 },
  { type: 'switch_model', model: 'other' },
  { type: 'answer', response },
  { type: 'give_up' },
  { type: 'allow' },
  { type: 'deny' },
  { type: 'deny', reason: 'no' },
  { type: 'edit', args: { a: 1 } },
  { keepMessages: -1 },
  { summary: 'short', keepMessages: 3 },
  { name: 'a', model: 'm', instructions: '' },
]

test.each(all.map((point) => [point.name, point] as const))(
  'what fits the schema of %s is an answer there',
  (_name, point) => {
    const fits = ajv.compile(answerSchema(point))
    // It may do all that the point can be asked for.
    const hook = {
      ...{ name: 'h', writes: true, capabilities: ['approve'] },
    }
    const says = (answer: object) => {
      // The judge reads no more of a hook than this.
      const given = hook as unknown as Parameters<typeof plainJudge.answer>[0]
      return !(lifecycleJudge.answer(given, point, answer) instanceof Error)
    }
    let taken = 0
    for (const type of ['transform', 'replace', 'respond', 'proceed']) {
      for (const sample of samples) {
        const key = type === 'respond' ? 'output' : 'value'
        const answer = { type, [key]: sample }
        if (!fits(answer)) continue
        taken++
        expect([answer, says(answer)]).toEqual([answer, true])
      }
    }
    for (const type of ['reject', 'ask', 'endTurn', 'keepGoing']) {
      const key = { ask: 'question', keepGoing: 'feedback' }[type] ?? 'reason'
      expect([type, fits({ type, [key]: 'x' })]).toEqual([
        type,
        says({ type, [key]: 'x' }),
      ])
      expect(fits({ type, [key]: ' ' })).toBe(false)
      expect(fits({ type })).toBe(false)
    }
    expect(fits({ type: 'allow' })).toBe(false)
    expect(fits({})).toBe(false)
    expect(taken).toBeGreaterThanOrEqual(samples.length)
  },
)

test.each(all.map((point) => [point.name, point] as const))(
  'the schema of the envelope of %s compiles',
  (name, point) => {
    const fits = ajv.compile(envelopeSchema(point))
    expect(fits({ protocol: 'hookline/1', point: name })).toBe(false)
  },
)

test('the envelope of a point has the input of the point', () => {
  const fits = ajv.compile(envelopeSchema(points['session.start']))
  const envelope = {
    protocol: 'hookline/1',
    point: 'session.start',
    hook: 'h',
    run: 'r',
    deadlineMs: 100,
    scope: { agent: 'a', origin: 'user', coreType: 'loop' },
    input: { source: 'new', cwd: '/' },
  }
  expect(fits(envelope)).toBe(true)
  expect(fits({ ...envelope, input: { source: 'old', cwd: '/' } })).toBe(false)
  expect(fits({ ...envelope, point: 'tool.guard' })).toBe(false)
})

test('a point says which contributions it takes; tools never come as data', () => {
  const fits = ajv.compile(answerSchema(points['turn.pre_policy']))
  const contribute = (kind: string, value: JsonValue) =>
    fits({ type: 'proceed', contributions: [{ kind, value }] })
  expect(contribute('policy', { domain: 'a', key: 'b', value: 1 })).toBe(true)
  expect(contribute('policy', { domain: 'a b', key: 'b', value: 1 })).toBe(
    false,
  )
  expect(contribute('context', { id: 'a', domain: 'b', content: '' })).toBe(
    false,
  )
  const known = all.flatMap(({ kinds }) => [...kinds.keys()])
  const described = new Set([...Object.keys(contributionSchemas), 'tools'])
  expect(described).toEqual(new Set(known))
})

test('points of users own take any value', () => {
  const own = definePoint('own.moment', {
    input: type<{ a: number }>(),
    answers: ['transform'],
  })
  const fits = ajv.compile(answerSchema(own))
  expect(fits({ type: 'transform', value: 7 })).toBe(true)
  expect(fits({ type: 'reject', reason: 'x' })).toBe(false)
  expect(ajv.compile(envelopeSchema(own))({})).toBe(false)
})

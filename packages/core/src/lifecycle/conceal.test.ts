import { describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { reject, replace, transform } from '../define/answers.ts'
import { type Hook, type Job, type Point, proceed } from '../engine/index.ts'
import { compileTable } from '../table/compile-table.ts'
import { toolCall } from '../testing/tool-call.ts'
import {
  llmPostCall,
  type ModelReturned,
  type ToolPostCallInput,
  type TurnOutputInput,
  toolPostCall,
  turnOutput,
} from './index.ts'

const secret = 'the code is 0000'
const text = { type: 'text', text: secret } as const

const returned: ModelReturned = {
  type: 'response',
  request: { model: 'large', messages: [], tools: [], settings: {} },
  attempt: 1,
  elapsedMs: 5,
  response: {
    content: [
      { type: 'reasoning', text: secret, providerData: secret },
      text,
      { type: 'tool_call', id: 'c1', tool: 'send', args: { body: secret } },
    ],
    stopReason: 'tool_calls',
    usage: { inputTokens: 3, outputTokens: 4 },
  },
}

const ended: ToolPostCallInput = {
  call: toolCall('read', { path: '.env' }),
  seal: 'seal',
  result: { content: [text], isError: false, data: { line: secret } },
  status: 'executed',
  elapsedMs: 5,
}

const failed: ToolPostCallInput = {
  ...ended,
  result: { content: [text], isError: true, error: 'tool' },
}

const output: TurnOutputInput = {
  content: [{ type: 'text', text: 'What is the code?' }],
  reply: [{ type: 'reasoning', text: secret }, text],
}

interface Case {
  readonly name: string
  readonly point: Point
  readonly input: object
  /** What is left of it when it was rejected. */
  readonly concealed: object
}

const cases: readonly Case[] = [
  {
    name: 'a reply of the model',
    point: llmPostCall,
    input: returned,
    concealed: { ...returned, response: { ...returned.response, content: [] } },
  },
  {
    name: 'a result of a tool',
    point: toolPostCall,
    input: ended,
    concealed: { ...ended, result: { content: [], isError: false } },
  },
  {
    name: 'an error of a tool',
    point: toolPostCall,
    input: failed,
    concealed: { ...failed, result: { ...failed.result, content: [] } },
  },
  {
    name: 'the reply of a turn',
    point: turnOutput,
    input: output,
    concealed: { ...output, reply: [] },
  },
]

/** All that a record hook, a queue and a job of it are given. */
async function observe(on: Point, input: object, answer: unknown) {
  const seen: unknown[] = []
  const jobs: Job[] = []
  const run = (value: unknown) => void seen.push(value)
  const hooks = [
    { name: 'decides', on, writes: true, run: () => answer },
    { name: 'watches', on, execution: 'record', run },
    { name: 'works', on, execution: 'background', run },
  ]
  // What is answered here, the type of any one point would refuse in part.
  const engine = createEngine(compileTable(hooks as unknown as Hook[]), {
    enqueue: (job) => void jobs.push(job),
  })
  await engine.run(on, input)
  await engine.drain()
  for (const job of jobs) await engine.perform(job)
  return { seen, jobs }
}

describe.each(cases)('$name', ({ point, input, concealed }) => {
  test('that was rejected is kept from observers and jobs', async () => {
    const { seen, jobs } = await observe(point, input, reject('No.'))
    expect(seen).toStrictEqual([concealed, concealed])
    expect(jobs.map((job) => job.input)).toStrictEqual([concealed])
    expect(JSON.stringify({ seen, jobs })).not.toContain(secret)
  })

  test('that a hook failed to judge is kept from them too', async () => {
    const { seen, jobs } = await observe(point, input, 'nonsense')
    expect(seen).toStrictEqual([concealed, concealed])
    expect(JSON.stringify({ seen, jobs })).not.toContain(secret)
  })

  test('that went on is shown whole', async () => {
    const { seen, jobs } = await observe(point, input, proceed)
    expect(seen).toStrictEqual([input, input])
    expect(jobs).toMatchObject([{ input }])
  })

  test.each([
    ['transformed', transform],
    ['replaced', replace],
  ])('that was %s is shown as it is now', async (_, change) => {
    const subject = String(point.subject)
    const changed = { ...Object(input)[subject], extra: 'new' }
    const { seen } = await observe(point, input, change(changed))
    const now = { ...input, [subject]: changed }
    expect(seen).toStrictEqual([now, now])
  })
})

test('an error of the model holds no reply, and is shown whole', async () => {
  const { response: _, ...about } = returned
  const error = { code: 'overloaded', message: 'Later.', isRetryable: true }
  const input = { ...about, type: 'error', error }
  const { seen } = await observe(llmPostCall, input, reject('No.'))
  expect(seen).toStrictEqual([input, input])
})

import { metrics, trace } from '@opentelemetry/api'
import { defineHook, proceed, respond } from 'hookline'
import { llmPreCall } from 'hookline/lifecycle'
import { afterEach, expect, test } from 'vitest'
import { createAgent, createRuntime, type Runtime } from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { scriptedModel } from '../../testing/index.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { fakeMeters, fakeTracers } from './fixtures/fake-telemetry.ts'
import { type OtelOptions, otel } from './otel.ts'

afterEach(() => {
  trace.disable()
  metrics.disable()
})

async function traced(options: OtelOptions) {
  const tracers = fakeTracers()
  const meters = fakeMeters()
  trace.setGlobalTracerProvider(tracers.provider)
  metrics.setGlobalMeterProvider(meters.provider)
  const tasks = [{ agent: 'agent', task: 'Look.' }]
  const agent = createAgent({
    model: scriptedModel([
      callsOf('look', { secret: 'hush' }, { secret: 'hush' }),
      callsOf('delegate', { tasks }),
      { text: 'Seen, hush.' },
      { text: 'Done, hush.' },
    ]),
    tools: [echoTool('look')],
    plugins: [otel(options), createDelegatePlugin()],
  })
  await agent.run('Go, hush.').result
  await agent.runtime.drain()
  await agent.close()
  return { spans: tracers.spans, counted: meters.counted }
}

test('turns, model calls and tools are spans that end, without what was said', async () => {
  const { spans } = await traced({})
  const names = spans.map(({ name }) => name).sort()
  expect(names).toEqual([
    ...['chat given/model', 'chat given/model'],
    ...['chat given/model', 'chat given/model'],
    ...['execute_tool delegate', 'execute_tool look', 'execute_tool look'],
    ...['invoke_agent agent', 'invoke_agent agent'],
  ])
  expect(spans.every(({ ends }) => ends === 1)).toBe(true)
  expect(JSON.stringify(spans)).not.toContain('hush')
})

test('each model call has its span, also where hooks answer or call', async () => {
  const tracers = fakeTracers()
  trace.setGlobalTracerProvider(tracers.provider)
  let runtime: Runtime | undefined
  let calls = 0
  const aside = defineHook({
    ...{ name: 'aside', on: llmPreCall },
    async run({ request }, context) {
      calls++
      // The first is answered by a hook, the second after a call of its own.
      if (calls === 1) {
        const usage = { inputTokens: 0, outputTokens: 0 }
        const look = { id: 'c', tool: 'look', args: {} }
        const content = [{ type: 'tool_call' as const, ...look }]
        return respond({ content, stopReason: 'tool_calls' as const, usage })
      }
      await runtime?.callModel(context, { ...request, model: 'judge' })
      return proceed
    },
  })
  const model = scriptedModel([{ text: 'Judged.' }, { text: 'Done.' }])
  runtime = createRuntime({
    ...{ models: { resolve: () => model }, hooks: [aside] },
    ...{ tools: [echoTool('look')], plugins: [otel({})] },
  })
  await runtime.register({ name: 'main', model: 'own', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  const turn = session.send('Go.')
  for await (const _ of turn) void _
  await runtime.drain()
  await runtime.close()
  const chats = tracers.spans.filter(({ name }) => name.startsWith('chat'))
  const models = chats.map(({ name }) => name)
  expect(models.toSorted()).toEqual(['chat judge', 'chat own'])
  expect(tracers.spans.every(({ ends }) => ends === 1)).toBe(true)
})

test('a model call that failed has a span that says so', async () => {
  const tracers = fakeTracers()
  trace.setGlobalTracerProvider(tracers.provider)
  const error = { code: 'unavailable', isRetryable: false } as const
  await play([{ error }], { plugins: [otel({})] })
  expect(tracers.spans).toMatchObject([
    { name: 'invoke_agent agent', ends: 1 },
    { name: 'chat', ends: 1, attributes: { 'error.type': 'unavailable' } },
  ])
})

test('turns and tokens are counted', async () => {
  const { counted } = await traced({ spans: false })
  const turns = counted.filter(({ name }) => name === 'hookline.turns')
  expect(turns).toMatchObject([
    { value: 1, about: { 'hookline.turn.status': 'succeeded' } },
    { value: 1, about: { 'hookline.turn.status': 'succeeded' } },
  ])
  const tokens = counted.filter(({ name }) => name.startsWith('gen_ai'))
  expect(tokens).toHaveLength(8)
})

test('each can be left out', async () => {
  expect((await traced({ spans: false })).spans).toEqual([])
  expect((await traced({ metrics: false })).counted).toEqual([])
})

test('a tracer that throws changes nothing', async () => {
  trace.setGlobalTracerProvider({
    getTracer() {
      throw new Error('Out of order.')
    },
  })
  const agent = createAgent({
    model: scriptedModel([{ text: 'Done.' }]),
    plugins: [otel({})],
  })
  const { status } = await agent.run('Go.').result
  await agent.close()
  expect(status).toBe('succeeded')
})

test('options that do not fit are refused', () => {
  const options = { span: true } as unknown as OtelOptions
  expect(() => otel(options)).toThrow('span')
})

import { metrics, trace } from '@opentelemetry/api'
import { afterEach, expect, test } from 'vitest'
import { createAgent } from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { scriptedModel } from '../../testing/index.ts'
import { callsOf, echoTool } from '../fixtures/play.ts'
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

test('turns and tokens are counted', async () => {
  const { counted } = await traced({ spans: false })
  const turns = counted.filter(({ name }) => name === 'hookline.turns')
  expect(turns).toMatchObject([
    { value: 1, about: { status: 'succeeded' } },
    { value: 1, about: { status: 'succeeded' } },
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

import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { deadline, defineHook, type proceed, reject } from 'hookline'
import { toolGuard, turnPreTurn } from 'hookline/lifecycle'
import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from './daemon-metrics.ts'
import { Counter } from './prometheus.ts'
import { startTelemetry } from './start-telemetry.ts'

const secret = 'telemetry-must-not-say-this'

async function makeRuntime() {
  const model = scriptedModel([
    {
      text: 'Two things.',
      calls: [
        { tool: 'look', args: { at: secret } },
        { tool: 'drop', args: {} },
      ],
    },
    { text: secret },
  ])
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'Does it.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: () => secret,
    })
  const runtime = createRuntime({
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    tools: [tool('look'), tool('drop')],
    hooks: [
      defineHook({
        name: 'no-drop',
        on: toolGuard,
        match: { tool: 'drop' },
        run: () => reject('no'),
      }),
      defineHook({
        name: 'hangs',
        on: turnPreTurn,
        execution: deadline(5),
        onFailure: 'open',
        run: () => new Promise<typeof proceed>(() => {}),
      }),
    ],
  })
  onTestFinished(() => runtime.close())
  await runtime.register({ name: 'main', model: 'test/one', instructions: '' })
  return runtime
}

async function takeTurn(runtime: Awaited<ReturnType<typeof makeRuntime>>) {
  const session = await runtime.openSession({ agent: 'main' })
  await session.send(secret).result
  await session.close()
}

test('metrics tell of hooks, tools, turns and tokens, and of nothing that was said', async () => {
  const runtime = await makeRuntime()
  const counts = { sessions: 3, turns: 1, streams: 7 }
  const metrics = createMetrics(runtime, () => counts)
  onTestFinished(() => metrics.close())
  await takeTurn(runtime)
  await expect.poll(() => metrics.text()).toContain('hookline_turns_total{')
  const lines = metrics.text().split('\n')
  const wanted = [
    'hookline_hook_runs_total{hook="no-drop",point="tool.guard",state="completed"} 1',
    'hookline_hook_seconds_count{hook="no-drop",point="tool.guard"} 1',
    'hookline_hook_failures_total{hook="hangs",code="timed-out"} 1',
    'hookline_hook_failed_open_total{hook="hangs"} 1',
    'hookline_hook_timeouts_total{hook="hangs"} 1',
    'hookline_turns_total{agent="main",status="succeeded"} 1',
    'hookline_tool_calls_total{tool="look",status="executed"} 1',
    'hookline_tool_calls_total{tool="drop",status="denied"} 1',
    'hookline_tokens_total{model="test/one",kind="input"} 20',
    'hookline_open_streams 7',
  ]
  expect(wanted.filter((line) => !lines.includes(line))).toEqual([])
  expect(metrics.text()).not.toContain(secret)
})

test('the loop of a process that does nothing is not held up', async () => {
  const counts = { sessions: 0, turns: 0, streams: 0 }
  const metrics = createMetrics(await makeRuntime(), () => counts)
  onTestFinished(() => metrics.close())
  const isFree = () => {
    const found = /^hookline_loop_delay_seconds (.+)$/m.exec(metrics.text())
    const seconds = Number(found?.[1])
    // Nothing at all: it has not been looked yet.
    return seconds > 0 && seconds < 0.01
  }
  await expect.poll(isFree).toBe(true)
})

test('labels that others choose neither break the text nor fill the memory', () => {
  const counter = new Counter({ name: 'c', help: 'Things.' })
  counter.add({ name: 'a"b\\c\nd' })
  for (let index = 0; index < 5_000; index++) counter.add({ name: `${index}` })
  const lines: string[] = []
  counter.write(lines)
  expect(lines).toContain('c{name="a\\"b\\\\c\\nd"} 1')
  expect(lines).toHaveLength(2 + 1_000 + 1)
  expect(lines.at(-1)).toBe('c{name="other"} 4001')
})

test('a collector is sent spans by the GenAI conventions, without content', async () => {
  const bodies = new Map<string, string>()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    bodies.set(path, `${bodies.get(path) ?? ''}${await text(request)}`)
    response.setHeader('content-type', 'application/json').end('{}')
  }
  const server = createServer((request, response) => {
    void take(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on one
  const runtime = await makeRuntime()
  const telemetry = await startTelemetry(runtime, {
    endpoint: `http://127.0.0.1:${port}/`,
  })
  await takeTurn(runtime)
  await telemetry.close()
  const { resourceSpans } = JSON.parse(bodies.get('/v1/traces') ?? '')
  const spans: {
    readonly name: string
    readonly spanId: string
    readonly parentSpanId?: string
    readonly attributes: readonly {
      readonly key: string
      readonly value: Readonly<Record<string, unknown>>
    }[]
  }[] = resourceSpans[0].scopeSpans[0].spans
  const names = spans.map(({ name }) => name).sort()
  expect(names).toEqual([
    'chat test/one',
    'chat test/one',
    'execute_tool drop',
    'execute_tool look',
    'invoke_agent main',
  ])
  const turn = spans.find(({ name }) => name === 'invoke_agent main')
  const others = spans.filter((span) => span !== turn)
  expect(others.every((span) => span.parentSpanId === turn?.spanId)).toBe(true)
  const denied = spans.find(({ name }) => name === 'execute_tool drop')
  const attributes = Object.fromEntries(
    (denied?.attributes ?? []).map(({ key, value }) => [
      key,
      value['stringValue'],
    ]),
  )
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'drop',
    'hookline.tool.status': 'denied',
    'error.type': 'denied',
  })
  expect(bodies.get('/v1/metrics')).toContain('gen_ai.client.token.usage')
  expect([...bodies.values()].join()).not.toContain(secret)
})

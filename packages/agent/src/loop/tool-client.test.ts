import { defineHook, proceed, reject, transform } from 'hookline'
import {
  type BoundTool,
  type ToolResult,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { defineTool } from '../index.ts'
import {
  type BenchOptions,
  defer,
  endOf,
  openBench,
  recorder,
  resultsOf,
  sealsOf,
  settle,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'click', id: 'c1', args: { x: 1 } }]

function clientTool(timeoutMs?: number): BoundTool {
  return defineTool({
    name: 'click',
    description: 'The client clicks.',
    input: { type: 'object' },
    safety: 'mutating',
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: 'client',
  })
}

const clicked = (text = 'clicked'): ToolResult => ({
  content: [{ type: 'text', text }],
  isError: false,
})

async function waiting(options: BenchOptions = {}) {
  const bench = await openBench({ calls, tools: [clientTool()], ...options })
  const turn = bench.session.send('go')
  await settle()
  return { bench, turn, session: bench.session }
}

test('a call of the client is recorded and waits for its result, which the model is told', async () => {
  const { bench, turn, session } = await waiting()
  expect(sealsOf(bench)).toHaveLength(1)
  expect(bench.model.requests).toHaveLength(1)
  session.resolveCall('c1', clicked())
  expect(await turn.result).toMatchObject({ status: 'succeeded' })
  expect(told(bench, 'c1')).toBe('clicked')
  await settle()
  expect(endOf(bench, 'c1').status).toBe('executed')
})

test('the client is shown the arguments that the gates let pass, once they have', async () => {
  const writer = defineHook({
    name: 'writer',
    on: toolPreCall,
    writes: true,
    run: () => transform({ x: 'final' }),
  })
  const { bench, turn, session } = await waiting({ hooks: [writer] })
  const shown = JSON.stringify(bench.events)
  session.resolveCall('c1', clicked())
  await turn.result
  expect(shown).toContain('"x":"final"')
})

test('a call of the client that a guard denies never waits for it', async () => {
  const deny = defineHook({
    name: 'deny',
    on: toolGuard,
    run: () => reject('no'),
  })
  const { bench, turn } = await waiting({ hooks: [deny] })
  expect(await turn.result).toMatchObject({ status: 'succeeded' })
  expect(told(bench, 'c1')).toBe('no')
})

test('a result that comes while the call is still judged is kept for it', async () => {
  const gate = defer()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    run: () => gate.promise.then(() => proceed),
  })
  const { bench, turn, session } = await waiting({ hooks: [slow] })
  session.resolveCall('c1', clicked('early'))
  expect(sealsOf(bench)).toEqual([])
  gate.resolve()
  await turn.result
  expect(told(bench, 'c1')).toBe('early')
})

test('an early result for a call that is then denied does not count', async () => {
  const gate = defer()
  const deny = defineHook({
    name: 'deny',
    on: toolGuard,
    run: () => gate.promise.then(() => reject('no')),
  })
  const { bench, turn, session } = await waiting({ hooks: [deny] })
  session.resolveCall('c1', clicked('early'))
  gate.resolve()
  await turn.result
  expect(told(bench, 'c1')).toBe('no')
})

test('a second early result is refused', async () => {
  const gate = defer()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    run: () => gate.promise.then(() => proceed),
  })
  const { bench, turn, session } = await waiting({ hooks: [slow] })
  session.resolveCall('c1', clicked('first'))
  const again = () => session.resolveCall('c1', clicked('second'))
  expect(again).toThrow(expect.objectContaining({ code: 'unknown-call' }))
  gate.resolve()
  await turn.result
  expect(told(bench, 'c1')).toBe('first')
})

test('a second result is refused, also while other calls of the step still run', async () => {
  const finish = defer()
  const other = recorder('wait', {
    execute: () => finish.promise.then(() => 'finished'),
  })
  const { bench, turn, session } = await waiting({
    calls: [...calls, { tool: 'wait', id: 'c2' }],
    tools: [clientTool(), other.tool],
  })
  session.resolveCall('c1', clicked('first'))
  await settle()
  const again = () => session.resolveCall('c1', clicked('second'))
  expect(again).toThrow(expect.objectContaining({ code: 'unknown-call' }))
  finish.resolve()
  await turn.result
  expect(told(bench, 'c1')).toBe('first')
})

test('a result for no call, or after the turn, is refused', async () => {
  const { turn, session } = await waiting()
  const nowhere = () => session.resolveCall('c9', clicked())
  expect(nowhere).toThrow(expect.objectContaining({ code: 'unknown-call' }))
  session.resolveCall('c1', clicked())
  await turn.result
  const late = () => session.resolveCall('c1', clicked())
  expect(late).toThrow(expect.objectContaining({ code: 'unknown-call' }))
})

test('what a client gives that is no result is a dispatch error', async () => {
  const { bench, turn, session } = await waiting()
  session.resolveCall('c1', { text: 'clicked' } as never)
  await turn.result
  await settle()
  expect(endOf(bench, 'c1').error).toBe('dispatch')
})

test('a client that changes its result afterwards changes nothing', async () => {
  const { bench, turn, session } = await waiting()
  const block = { type: 'text' as const, text: 'clicked' }
  session.resolveCall('c1', { content: [block], isError: false })
  await settle()
  block.text = 'something else'
  await turn.result
  expect(told(bench, 'c1')).toBe('clicked')
})

test('a cancel while the client is waited for is a cancelled call; its result is refused', async () => {
  const { bench, turn, session } = await waiting()
  turn.cancel()
  expect(await turn.result).toMatchObject({ status: 'cancelled' })
  await settle()
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'cancelled',
    error: 'cancelled',
  })
  const late = () => session.resolveCall('c1', clicked())
  expect(late).toThrow(expect.objectContaining({ code: 'unknown-call' }))
})

test('a client that takes too long is a timeout, and its result is refused', async () => {
  const finish = defer()
  const other = recorder('wait', {
    execute: () => finish.promise.then(() => 'finished'),
  })
  const { bench, turn, session } = await waiting({
    calls: [...calls, { tool: 'wait', id: 'c2' }],
    tools: [clientTool(100), other.tool],
  })
  await bench.clock.advance(100)
  await settle()
  expect(endOf(bench, 'c1').error).toBe('timeout')
  const late = () => session.resolveCall('c1', clicked())
  expect(late).toThrow(expect.objectContaining({ code: 'unknown-call' }))
  finish.resolve()
  await turn.result
})

test('calls of the client wait side by side, each for its own result', async () => {
  const two = [...calls, { tool: 'click', id: 'c2', args: { x: 2 } }]
  const { bench, turn, session } = await waiting({ calls: two })
  session.resolveCall('c2', clicked('second'))
  session.resolveCall('c1', clicked('first'))
  await turn.result
  const results = resultsOf(bench.session.messages)
  expect(results.map(({ callId }) => callId)).toEqual(['c1', 'c2'])
  expect([told(bench, 'c1'), told(bench, 'c2')]).toEqual(['first', 'second'])
})

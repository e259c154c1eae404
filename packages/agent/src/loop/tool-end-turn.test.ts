import { ask, defineHook, endTurn, type Hook, proceed, reject } from 'hookline'
import {
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../index.ts'
import {
  defer,
  endOf,
  openBench,
  recorder,
  resultsOf,
  runTurn,
  settle,
} from './fixtures/tool-bench.ts'

const three = ['a', 'b', 'c'].map((id) => ({ tool: 'write', id, args: { id } }))

function endAt(point: 'pre' | 'post', id: string): Hook {
  if (point === 'pre') {
    return defineHook({
      name: 'end',
      on: toolPreCall,
      match: { args: { id } },
      run: () => endTurn('enough'),
    })
  }
  return defineHook({
    name: 'end',
    on: toolPostCall,
    match: { args: { id } },
    run: () => endTurn('enough'),
  })
}

function batchCounter() {
  const sizes: number[] = []
  const hook = defineHook({
    name: 'batch',
    on: toolPostBatch,
    run: ({ results }) => {
      sizes.push(results.length)
      return proceed
    },
  })
  return { hook, sizes }
}

test('endTurn at tool.pre_call cancels the call and those after it; the model is not called again', async () => {
  const { tool, ran } = recorder('write')
  const { hook, sizes } = batchCounter()
  const hooks = [endAt('pre', 'b'), hook]
  const bench = await runTurn({ calls: three, tools: [tool], hooks })
  expect(ran).toEqual([{ id: 'a' }])
  const statuses = three.map(({ id }) => endOf(bench, id).status)
  expect(statuses).toEqual(['executed', 'cancelled', 'cancelled'])
  expect(sizes).toEqual([3])
  expect(bench.model.requests).toHaveLength(1)
  expect(resultsOf(bench.session.messages)).toHaveLength(3)
})

test('endTurn is no failure: the turn succeeds and says why it ended', async () => {
  const { tool } = recorder('write')
  const hooks = [endAt('pre', 'a')]
  const bench = await openBench({ calls: three, tools: [tool], hooks })
  const result = await bench.session.send('go').result
  expect(result).toMatchObject({ status: 'succeeded', reason: 'enough' })
})

test('endTurn lets running calls finish', async () => {
  const finish = defer()
  const { tool } = recorder('write', {
    execute: async (args) => {
      if (Object(args).id === 'a') await finish.promise
      return 'finished'
    },
  })
  const hooks = [endAt('pre', 'b')]
  const bench = await openBench({ calls: three, tools: [tool], hooks })
  const { result } = bench.session.send('go')
  await settle()
  expect(endOf(bench, 'b').status).toBe('cancelled')
  finish.resolve()
  await result
  await settle()
  expect(endOf(bench, 'a')).toMatchObject({
    status: 'executed',
    text: 'finished',
  })
})

test('endTurn at tool.post_call cancels the calls that wait for their turn', async () => {
  const finish = defer()
  const { tool, ran } = recorder('write', {
    execute: async (args) => {
      if (Object(args).id === 'b') await finish.promise
      return 'ran'
    },
  })
  const hooks = [endAt('post', 'a')]
  const options = { calls: three, tools: [tool], hooks, toolConcurrency: 1 }
  const bench = await openBench(options)
  const { result } = bench.session.send('go')
  await settle()
  finish.resolve()
  await result
  await settle()
  expect(ran).not.toContainEqual({ id: 'c' })
  expect(endOf(bench, 'c')).toMatchObject({
    status: 'cancelled',
    error: 'cancelled',
  })
  expect(bench.model.requests).toHaveLength(1)
})

test('endTurn cancels a call that a person is still asked about', async () => {
  const { tool, ran } = recorder('write')
  const approvals = createMemoryApprovals()
  const doubt = defineHook({
    name: 'doubt',
    on: toolGuard,
    match: { args: { id: 'a' } },
    run: () => ask('sure?'),
  })
  const hooks = [doubt, endAt('pre', 'b')]
  const options = { calls: three, tools: [tool], hooks, approvals }
  const bench = await openBench(options)
  let isOver = false
  void bench.session.send('go').result.then(() => {
    isOver = true
  })
  await settle()
  expect(approvals.pending()).toEqual([])
  expect(isOver).toBe(true)
  expect(ran).toEqual([])
  expect(endOf(bench, 'a').status).toBe('cancelled')
})

test('endTurn at tool.post_batch ends the turn after the results are kept', async () => {
  const { tool, ran } = recorder('write')
  const end = defineHook({
    name: 'end',
    on: toolPostBatch,
    run: () => endTurn('enough'),
  })
  const bench = await runTurn({ calls: three, tools: [tool], hooks: [end] })
  expect(ran).toHaveLength(3)
  expect(resultsOf(bench.session.messages)).toHaveLength(3)
  expect(bench.model.requests).toHaveLength(1)
})

test('endTurn at tool.post_call keeps the result of its call', async () => {
  const { tool } = recorder('write')
  const hooks = [endAt('post', 'a')]
  const [call] = three
  const calls = call === undefined ? [] : [call]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(endOf(bench, 'a')).toMatchObject({ status: 'executed', text: 'ran' })
  expect(bench.model.requests).toHaveLength(1)
})

test('a call that waits for its place does not begin once the turn is ended', async () => {
  // However the end of the one before it and the end of the turn fall together.
  for (let ticks = 0; ticks < 40; ticks++) {
    const first = defer()
    const begun: string[] = []
    const { tool } = recorder('write', {
      execute: async (args) => {
        const { id } = Object(args)
        begun.push(id)
        if (id === 'a') await first.promise
        return 'done'
      },
    })
    const refuse = defineHook({
      name: 'refuse',
      on: toolGuard,
      match: { args: { id: 'c' } },
      run: async () => {
        await expect.poll(() => begun).toEqual(['a'])
        first.resolve()
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
        return reject('No.')
      },
    })
    const end = defineHook({
      name: 'end',
      on: toolPostCall,
      match: { args: { id: 'c' } },
      run: () => {
        begun.push('ended')
        return endTurn('enough')
      },
    })
    const hooks = [refuse, end]
    await runTurn({ calls: three, tools: [tool], hooks, toolConcurrency: 1 })
    expect(begun.at(-1), `after ${ticks} ticks`).toBe('ended')
  }
})

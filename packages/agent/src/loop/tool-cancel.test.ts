import { defineHook, proceed } from 'hookline'
import {
  type ToolResult,
  toolGuard,
  toolPostBatch,
  toolPostCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
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

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

/** Keeps how often calls were shown to hooks after the fact, and as what. */
function aftermath() {
  const after: string[] = []
  const hook = defineHook({
    name: 'after',
    on: toolPostCall,
    run: ({ call, status }) => {
      after.push(`${call.id} ${status}`)
      return proceed
    },
  })
  return { hook, after }
}

/** A bench whose tool has begun, and does as it likes when it is cancelled. */
async function begun(
  onAbort: (settle: {
    resolve: (text: string) => void
    reject: (error: unknown) => void
  }) => void,
  options: BenchOptions = {},
) {
  const started = defer()
  const { hook, after } = aftermath()
  const { tool, ran } = recorder('write', {
    execute: (_args, { signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => onAbort({ resolve, reject }))
        started.resolve()
      }),
  })
  const bench = await openBench({
    calls,
    tools: [tool],
    hooks: [hook],
    ...options,
  })
  const turn = bench.session.send('go')
  await started.promise
  return { bench, turn, after, ran }
}

test('F133 a cancel of a running call leaves it to the tool: what it returns counts as done', async () => {
  const { bench, turn, after } = await begun(({ resolve }) => resolve('rest'))
  turn.cancel()
  expect(await turn.result).toMatchObject({ status: 'cancelled' })
  await settle()
  expect(after).toEqual(['c1 executed'])
  expect(endOf(bench, 'c1')).toMatchObject({ status: 'executed', text: 'rest' })
  expect(told(bench, 'c1')).toBe('rest')
})

test('F133 a tool that breaks off when it is cancelled is a cancelled call', async () => {
  const { bench, turn, after } = await begun(({ reject }) =>
    reject(new Error('stopped')),
  )
  turn.cancel()
  await turn.result
  await settle()
  expect(after).toEqual(['c1 cancelled'])
  expect(endOf(bench, 'c1').error).toBe('cancelled')
})

test('a call that had begun stays in history when it is cancelled: it may have acted', async () => {
  const { bench, turn } = await begun(({ reject }) => reject(new Error('stop')))
  turn.cancel()
  await turn.result
  const { messages } = bench.session
  const roles = messages.map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
  const [result] = resultsOf(messages)
  expect(result).toMatchObject({ callId: 'c1', isError: true })
})

test('a turn whose calls never began leaves history as it was when it is cancelled', async () => {
  const asked = defer()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    run: () => {
      asked.resolve()
      return new Promise<never>(() => {})
    },
  })
  const { tool, ran } = recorder('write')
  const bench = await openBench({ calls, tools: [tool], hooks: [slow] })
  const turn = bench.session.send('go')
  await asked.promise
  turn.cancel()
  expect(await turn.result).toMatchObject({ status: 'cancelled' })
  expect(bench.session.messages).toEqual([])
  expect(ran).toEqual([])
})

test('F133 a tool that ignores its signal becomes an unknown outcome after the grace time', async () => {
  const { bench, turn, after } = await begun(() => {}, { graceMs: 500 })
  turn.cancel()
  await bench.clock.advance(499)
  await settle()
  expect(after).toEqual([])
  await bench.clock.advance(1)
  await turn.result
  await settle()
  expect(after).toEqual(['c1 unknown_outcome'])
  expect(endOf(bench, 'c1').error).toBe('unknown_outcome')
  expect(resultsOf(bench.session.messages)).toHaveLength(1)
})

test('F133 what a tool says after the grace time reaches nobody', async () => {
  const late = defer<string>()
  const { bench, turn, after } = await begun(
    ({ resolve }) => void late.promise.then(resolve),
    { graceMs: 500 },
  )
  turn.cancel()
  await bench.clock.advance(500)
  await turn.result
  late.resolve('done after all')
  await settle()
  expect(after).toEqual(['c1 unknown_outcome'])
  expect(told(bench, 'c1')).not.toContain('done after all')
})

test('F133 a tool that asks for its signal late finds it aborted', async () => {
  const started = defer()
  const go = defer()
  const seen = defer<boolean>()
  const { tool } = recorder('write', {
    execute: async (_args, context) => {
      started.resolve()
      await go.promise
      seen.resolve(context.signal.aborted)
      return 'ran'
    },
  })
  const bench = await openBench({ calls, tools: [tool] })
  const turn = bench.session.send('go')
  await started.promise
  turn.cancel()
  go.resolve()
  await turn.result
  expect(await seen.promise).toBe(true)
})

test('a cancel leaves a result for every call: those begun as they end, the others cancelled', async () => {
  const two = [...calls, { tool: 'write', id: 'c2', args: { x: 2 } }]
  const options = { calls: two, toolConcurrency: 1 }
  const { bench, turn, after, ran } = await begun(
    ({ resolve }) => resolve('rest'),
    options,
  )
  await settle()
  turn.cancel()
  await turn.result
  await settle()
  expect(ran).toEqual([{ x: 1 }])
  expect(after.toSorted()).toEqual(['c1 executed', 'c2 cancelled'])
  expect(endOf(bench, 'c2').error).toBe('cancelled')
  const ids = resultsOf(bench.session.messages).map(({ callId }) => callId)
  expect(ids).toEqual(['c1', 'c2'])
  expect(sealsOf(bench)).toHaveLength(1)
})

test('tool.post_batch runs also for a step that was cancelled while its tools ran', async () => {
  const batches: number[] = []
  const batch = defineHook({
    name: 'batch',
    on: toolPostBatch,
    run: ({ results }) => {
      batches.push(results.length)
      return proceed
    },
  })
  const { turn } = await begun(({ reject }) => reject(new Error('stop')), {
    hooks: [batch],
  })
  turn.cancel()
  await turn.result
  expect(batches).toEqual([1])
})

test('a tool that answers at once is done, whoever cancels meanwhile', async () => {
  const { tool } = recorder('write', {
    execute: (): string => {
      turn.cancel()
      return 'ran'
    },
  })
  const bench = await openBench({ calls, tools: [tool] })
  const turn = bench.session.send('go')
  expect(await turn.result).toMatchObject({ status: 'cancelled' })
  await settle()
  expect(endOf(bench, 'c1')).toMatchObject({ status: 'executed', text: 'ran' })
  expect(told(bench, 'c1')).toBe('ran')
})

test('a timeout while the tool is being cancelled is the cancellation still', async () => {
  const { bench, turn } = await begun(() => {}, { graceMs: 500_000 })
  turn.cancel()
  await bench.clock.advance(200_000)
  await settle()
  await bench.clock.advance(300_000)
  await turn.result
  await settle()
  expect(endOf(bench, 'c1').status).toBe('unknown_outcome')
})

test('hooks after the fact are asked about a cancelled call, and can still withhold its result', async () => {
  const withhold = defineHook({
    name: 'withhold',
    on: toolPostCall,
    run: () => ({ type: 'reject' as const, reason: 'secret' }),
  })
  const { bench, turn } = await begun(({ resolve }) => resolve('rest'), {
    hooks: [withhold],
  })
  turn.cancel()
  await turn.result
  expect(told(bench, 'c1')).toContain('secret')
  expect(told(bench, 'c1')).not.toContain('rest')
})

test('the results of tools are results: content, data and errors of their own are kept', async () => {
  const given: ToolResult = {
    content: [{ type: 'text', text: 'no such file' }],
    isError: true,
    error: 'tool',
  }
  const { tool } = recorder('write', { execute: () => given })
  const bench = await openBench({ calls, tools: [tool] })
  await bench.session.send('go').result
  await settle()
  expect(endOf(bench, 'c1')).toEqual({
    status: 'executed',
    error: 'tool',
    text: 'no such file',
  })
})

import { defineHook, HookError, proceed, reject } from 'hookline'
import {
  type BoundTool,
  type EndedCall,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy } from '../index.ts'
import { invalidArgs } from '../ports/invalid-args.ts'
import {
  type Bench,
  type Deferred,
  defer,
  endOf,
  endsOf,
  openBench,
  recorder,
  resultsOf,
  runTurn,
  sealsOf,
  settle,
  told,
} from './fixtures/tool-bench.ts'

/** A tool whose calls end when their `key` is let go. */
function held() {
  const gates = new Map<string, Deferred<void>>()
  const running = new Set<string>()
  let most = 0
  const gateOf = (key: string) => {
    const gate = gates.get(key) ?? defer()
    gates.set(key, gate)
    return gate
  }
  const { tool, ran } = recorder('hold', {
    execute: async (args) => {
      const key = String(Object(args).key)
      running.add(key)
      most = Math.max(most, running.size)
      await gateOf(key).promise
      running.delete(key)
      return key
    },
  })
  const letGo = async (key: string) => {
    gateOf(key).resolve()
    await settle()
  }
  return { tool, ran, running, letGo, most: () => most }
}

const hold = (key: string) => ({ tool: 'hold', id: key, args: { key } })

test('calls of one step run at the same time, as many as the cap allows', async () => {
  const { tool, running, letGo, most } = held()
  const keys = ['a', 'b', 'c', 'd']
  const bench = await openBench({
    calls: keys.map(hold),
    tools: [tool],
    toolConcurrency: 2,
  })
  const { result } = bench.session.send('go')
  await settle()
  expect([...running]).toEqual(['a', 'b'])
  await letGo('b')
  expect([...running]).toEqual(['a', 'c'])
  for (const key of keys) await letGo(key)
  await result
  expect(most()).toBe(2)
})

test('eight calls run at the same time unless the runtime is told otherwise', async () => {
  const { tool, letGo, running, most } = held()
  const keys = Array.from({ length: 10 }, (_, index) => `call-${index}`)
  const bench = await openBench({ calls: keys.map(hold), tools: [tool] })
  const { result } = bench.session.send('go')
  await settle()
  expect([...running]).toEqual(keys.slice(0, 8))
  for (const key of keys) await letGo(key)
  await result
  expect(most()).toBe(8)
})

test('results are in history in the order of the calls, events in the order of their ends', async () => {
  const { tool, letGo } = held()
  const keys = ['a', 'b', 'c']
  const bench = await openBench({ calls: keys.map(hold), tools: [tool] })
  const { result } = bench.session.send('go')
  await settle()
  for (const key of ['c', 'a', 'b']) await letGo(key)
  await result
  await settle()
  expect(endsOf(bench).map(({ callId }) => callId)).toEqual(['c', 'a', 'b'])
  const results = resultsOf(bench.session.messages)
  expect(results.map(({ callId }) => callId)).toEqual(keys)
  const ended = bench.journal.filter(({ type }) => type === 'call-end')
  expect(ended).toHaveLength(3)
})

test('a call begins when its own gates have passed, while those of the next are still asked', async () => {
  const { tool, ran } = recorder('write')
  const gate = defer()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    match: { args: { x: 2 } },
    run: () => gate.promise.then(() => proceed),
  })
  const calls = [1, 2].map((x) => ({ tool: 'write', args: { x } }))
  const bench = await openBench({ calls, tools: [tool], hooks: [slow] })
  const { result } = bench.session.send('go')
  await settle()
  expect(ran).toEqual([{ x: 1 }])
  gate.resolve()
  await result
  expect(ran).toEqual([{ x: 1 }, { x: 2 }])
})

const failing = (name: string, execute: () => never | Promise<never>) =>
  recorder(name, { execute }).tool

async function fail(bench: Promise<Bench>, id = 'c1') {
  const ended = await bench
  const { status, error } = endOf(ended, id)
  const result = resultsOf(ended.session.messages)
  const kept = result.find(({ callId }) => callId === id)
  return { status, error, isError: kept?.isError, text: told(ended, id) }
}

test.each([
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
  [
    'throws no error',
    () => {
      // oxlint-disable-next-line typescript/only-throw-error -- The case.
      throw 'broken'
    },
  ],
  [
    'rejects with no error',
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The case.
    () => Promise.reject('broken'),
  ],
])(
  'a tool that %s is a tool error, told under its id',
  async (_name, execute) => {
    const calls = [{ tool: 'write', id: 'c1' }]
    const tools = [failing('write', execute)]
    expect(await fail(runTurn({ calls, tools }))).toEqual({
      status: 'executed',
      error: 'tool',
      isError: true,
      text: 'broken',
    })
  },
)

/** A tool as somebody writes it who does not use `defineTool`. */
function rawTool(give: () => unknown): BoundTool {
  return { ...recorder('write').tool, dispatch: () => give() as never }
}

test.each([
  ['nothing', () => undefined],
  ['a text', () => 'text'],
  ['content that is no list', () => ({ content: 'x', isError: false })],
  ['an unknown block', () => ({ content: [{ type: 'x' }], isError: false })],
  ['no isError', () => ({ content: [] })],
  ['an unknown error', () => ({ content: [], isError: true, error: 'odd' })],
  [
    'an object that cannot be read',
    () =>
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('unreadable')
          },
        },
      ),
  ],
])(
  'a dispatch that gives %s has given no result: a dispatch error',
  async (_name, give) => {
    const calls = [{ tool: 'write', id: 'c1' }]
    const tools = [rawTool(give)]
    const { status, error, isError } = await fail(runTurn({ calls, tools }))
    expect({ status, error, isError }).toEqual({
      status: 'executed',
      error: 'dispatch',
      isError: true,
    })
  },
)

test('a thenable that throws is a tool error', async () => {
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: this is what is tested
    then() {
      throw new Error('broken')
    },
  }
  const calls = [{ tool: 'write', id: 'c1' }]
  const tools = [rawTool(() => thenable)]
  const bench = await runTurn({ calls, tools })
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'executed',
    error: 'tool',
  })
  expect(bench.model.requests).toHaveLength(2)
})

test('a tool that is not there is a dispatch error that lists those that are', async () => {
  const calls = [{ tool: 'wrote', id: 'c1' }]
  const tools = [recorder('write').tool]
  const { text, ...rest } = await fail(runTurn({ calls, tools }))
  expect(rest).toEqual({ status: 'denied', error: 'dispatch', isError: true })
  expect(text).toContain('write')
})

test('arguments that do not fit the schema are a dispatch error, and no hook is asked', async () => {
  const asked: unknown[] = []
  const gate = defineHook({
    name: 'gate',
    on: toolPreCall,
    run: (call) => {
      asked.push(call)
      return proceed
    },
  })
  const { tool, ran } = recorder('write', {
    input: { type: 'object', required: ['x'] },
  })
  const calls = [{ tool: 'write', id: 'c1', args: {} }]
  const ended = await fail(runTurn({ calls, tools: [tool], hooks: [gate] }))
  expect(ended).toMatchObject({ status: 'denied', error: 'dispatch' })
  expect(ended.text).toContain('x')
  expect(ran).toEqual([])
  expect(asked).toEqual([])
})

test('arguments that were no JSON are a dispatch error, also of a tool that takes anything', async () => {
  const { tool, ran } = recorder('write')
  const calls = [{ tool: 'write', id: 'c1', args: invalidArgs('{"x": ') }]
  const ended = await fail(runTurn({ calls, tools: [tool] }))
  expect(ended).toMatchObject({ error: 'dispatch', isError: true })
  expect(ran).toEqual([])
})

test('a result above the cap of the grant becomes an error that says what to do', async () => {
  const { tool } = recorder('write', { execute: () => 'x'.repeat(5_000) })
  const policy = createPolicy({ mode: 'open', maxOutputBytes: 2_000 })
  const calls = [{ tool: 'write', id: 'c1' }]
  const ended = await fail(runTurn({ calls, tools: [tool], policy }))
  expect(ended).toMatchObject({ status: 'executed', error: 'tool' })
  expect(ended.text).toContain('5000 bytes')
  expect(ended.text.length).toBeLessThan(2_000)
})

test.each([
  ['its own time', { timeoutMs: 100 }, {}],
  ['the time of its grant', {}, { timeoutMs: 100 }],
  ['the shorter of both', { timeoutMs: 100 }, { timeoutMs: 900 }],
])(
  'a tool that exceeds %s is a timeout, and its signal is aborted',
  async (_name, ofTool, ofGrant) => {
    const started = defer<AbortSignal>()
    const { tool } = recorder('write', {
      ...ofTool,
      execute: (_args, { signal }) => {
        started.resolve(signal)
        return new Promise<string>(() => {})
      },
    })
    const calls = [{ tool: 'write', id: 'c1' }]
    const policy = createPolicy({ mode: 'open', ...ofGrant })
    const bench = await openBench({ calls, tools: [tool], policy })
    const { result } = bench.session.send('go')
    const signal = await started.promise
    await bench.clock.advance(99)
    expect(signal.aborted).toBe(false)
    await bench.clock.advance(1)
    await result
    await settle()
    expect(signal.aborted).toBe(true)
    expect(endOf(bench, 'c1').error).toBe('timeout')
  },
)

test('calls that failed keep their slots and their ids among the others, and say what failed', async () => {
  const { tool, ran } = recorder('write')
  const deny = defineHook({
    name: 'deny',
    on: toolGuard,
    match: { args: { x: 2 } },
    run: () => reject('no'),
  })
  const calls = [
    { tool: 'write', id: 'fine', args: { x: 1 } },
    { tool: 'write', id: 'denied', args: { x: 2 } },
    { tool: 'nowhere', id: 'unknown' },
    { tool: 'throws', id: 'threw' },
    { tool: 'write', id: 'invalid', args: invalidArgs('{') },
    { tool: 'write', id: 'secret', args: { x: 4 } },
    { tool: 'write', id: 'last', args: { x: 3 } },
  ]
  const keep = defineHook({
    name: 'keep',
    on: toolPostCall,
    match: { args: { x: 4 } },
    run: () => reject('no'),
  })
  const throws = failing('throws', () => Promise.reject(new Error('broken')))
  const tools = [tool, throws]
  const bench = await runTurn({ calls, tools, hooks: [deny, keep] })
  const results = resultsOf(bench.session.messages)
  expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
    ['fine', false],
    ['denied', true],
    ['unknown', true],
    ['threw', true],
    ['invalid', true],
    ['secret', true],
    ['last', false],
  ])
  const kinds = calls.map(({ id }) => endOf(bench, id).error)
  const wanted = ['denied', 'dispatch', 'tool', 'dispatch', 'withheld']
  expect(kinds).toEqual([undefined, ...wanted, undefined])
  expect(ran).toEqual([{ x: 1 }, { x: 4 }, { x: 3 }])
})

test('every call with an id reaches one tool.post_call, and all of them one tool.post_batch', async () => {
  const { tool } = recorder('write')
  const after: string[] = []
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: ({ call, status }) => {
      after.push(`${call.id} ${status}`)
      return proceed
    },
  })
  const batches: (readonly EndedCall[])[] = []
  const batch = defineHook({
    name: 'batch',
    on: toolPostBatch,
    run: ({ results }) => {
      batches.push(results)
      return proceed
    },
  })
  const calls = [
    { tool: 'write', id: 'a' },
    { tool: 'nowhere', id: 'b' },
    { tool: 'write', id: 'c', args: invalidArgs('{') },
  ]
  await runTurn({ calls, tools: [tool], hooks: [post, batch] })
  const wanted = ['a executed', 'b denied', 'c denied']
  expect(after.toSorted()).toEqual(wanted)
  expect(batches).toHaveLength(1)
  expect(batches[0]?.map(({ call }) => call.id)).toEqual(['a', 'b', 'c'])
})

test('F136 a hook after the fact that fails withholds the result, and what was done stays done', async () => {
  const { tool, ran } = recorder('write')
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: () => {
      throw new Error('broken')
    },
  })
  const calls = [{ tool: 'write', id: 'c1' }]
  const bench = await runTurn({ calls, tools: [tool], hooks: [post] })
  expect(ran).toHaveLength(1)
  expect(told(bench, 'c1')).not.toContain('ran')
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'executed',
    error: 'withheld',
  })
  expect(sealsOf(bench)).toHaveLength(1)
})

test('a result that a gate withheld is no denial in any record: the tool has run', async () => {
  const { tool, ran } = recorder('write')
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: () => reject('A secret.'),
  })
  const calls = [{ tool: 'write', id: 'c1' }]
  const bench = await runTurn({ calls, tools: [tool], hooks: [post] })
  const told = { status: 'executed', error: 'withheld' }
  expect(ran).toHaveLength(1)
  expect(endOf(bench, 'c1')).toEqual({ ...told, text: '[withheld: A secret.]' })
  const end = bench.journal.find(({ type }) => type === 'call-end')
  const result = { isError: true, error: 'withheld' }
  expect(end).toMatchObject({ ended: { status: 'executed', result } })
  const turn = bench.journal.find(({ type }) => type === 'turn-end')
  expect(turn).toMatchObject({ summary: { tools: [told] } })
})

test('F136 a hook after the fact that fails open lets the result go on as it is', async () => {
  const { tool } = recorder('write')
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    onFailure: 'open',
    run: () => {
      throw new Error('broken')
    },
  })
  const calls = [{ tool: 'write', id: 'c1' }]
  const bench = await runTurn({ calls, tools: [tool], hooks: [post] })
  expect(told(bench, 'c1')).toBe('ran')
})

test('F136 a hook after the fact that must not fail fails the turn, and the step is kept', async () => {
  const { tool, ran } = recorder('write')
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    onFailure: 'required',
    run: () => {
      throw new Error('broken')
    },
  })
  const calls = [{ tool: 'write', id: 'c1' }]
  const bench = await openBench({ calls, tools: [tool], hooks: [post] })
  const { status } = await bench.session.send('go').result
  expect(status).toBe('failed')
  expect(ran).toHaveLength(1)
  expect(resultsOf(bench.session.messages)).toHaveLength(1)
  expect(told(bench, 'c1')).not.toContain('ran')
  expect(endOf(bench, 'c1').error).toBe('withheld')
})

test('a tool that throws what a hook has failed with tells the model no name of a hook', async () => {
  const { tool } = recorder('asks', {
    execute: () => {
      const problem = 'is required at subagent.start, and failed: threw.'
      const message = `Hook "secret" ${problem}`
      throw new HookError('required-failed', message, 'secret')
    },
  })
  const bench = await runTurn({
    calls: [{ tool: 'asks', id: 'c1' }],
    tools: [tool],
  })
  expect(told(bench, 'c1')).toBe(
    'A hook is required at subagent.start, and failed: threw.',
  )
})

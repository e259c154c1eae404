import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type EndedCall,
  type JsonObject,
  llmPreCall,
  toolGuard,
  toolPostCall,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { AnyContext, Runtime } from '../index.ts'
import {
  type Bench,
  type BenchOptions,
  defer,
  openBench,
  recorder,
  sealsOf,
  settle,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

type Act = (runtime: Runtime, context: AnyContext) => Promise<unknown>

/** Runs a turn in which a gate of `write` calls something itself. */
async function actingGate(act: Act, options: BenchOptions = {}) {
  const acted: unknown[] = []
  const failed: unknown[] = []
  const gate: Hook = defineHook({
    name: 'acting',
    on: toolGuard,
    run: async (_call, context) => {
      const { runtime } = await opened
      try {
        acted.push(await act(runtime, context))
      } catch (error) {
        failed.push(error)
      }
      return proceed
    },
  })
  const hooks = [gate, ...(options.hooks ?? [])]
  const opened: Promise<Bench> = openBench({ calls, ...options, hooks })
  const bench = await opened
  const result = await bench.session.send('go').result
  await settle()
  return { bench, acted, failed, result }
}

const callWrite =
  (args: JsonObject = { x: 2 }): Act =>
  (runtime, context) =>
    runtime.callTool(context, { tool: 'write', args })

test('F019 a gate that calls what it would judge itself is left out, once, and the call runs', async () => {
  const { tool, ran } = recorder('write')
  const { acted } = await actingGate(callWrite(), { tools: [tool] })
  expect(acted).toHaveLength(1)
  expect(acted[0]).toMatchObject({
    status: 'executed',
    call: { args: { x: 2 } },
  })
  expect(ran).toEqual([{ x: 2 }, { x: 1 }])
})

test('F019 every other gate judges the call of a hook, with the origin `hook`', async () => {
  const { tool, ran } = recorder('write')
  const seen: string[] = []
  const note = (name: string, on: typeof toolGuard): Hook =>
    defineHook({
      name,
      on,
      run: ({ args }, { scope }) => {
        seen.push(`${name} ${JSON.stringify(args['x'])} ${scope.origin}`)
        return args['x'] === 2 ? reject('not 2') : proceed
      },
    })
  const hooks = [note('other', toolGuard)]
  const { acted } = await actingGate(callWrite(), { tools: [tool], hooks })
  expect(seen).toEqual(['other 2 hook', 'other 1 user'])
  const [ended] = acted as EndedCall[]
  expect(ended).toMatchObject({ status: 'denied' })
  expect(ran).toEqual([{ x: 1 }])
})

test('F019 the call of a hook is sealed, recorded and shown to hooks after the fact', async () => {
  const { tool } = recorder('write')
  const after: string[] = []
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: ({ call, status }, { scope }) => {
      after.push(`${JSON.stringify(call.args['x'])} ${status} ${scope.origin}`)
      return proceed
    },
  })
  const options = { tools: [tool], hooks: [post] }
  const { bench } = await actingGate(callWrite(), options)
  expect(after).toEqual(['2 executed hook', '1 executed user'])
  const recorded = sealsOf(bench).map(({ call }) => call.args['x'])
  expect(recorded).toEqual([2, 1])
})

test('F019 the call of a hook is not part of the conversation', async () => {
  const { tool } = recorder('write')
  const { bench } = await actingGate(callWrite(), { tools: [tool] })
  const text = JSON.stringify(bench.session.messages)
  expect(text).not.toContain('"x":2')
})

test('F019 a tool call of a hook counts in the budget of the turn', async () => {
  const { tool, ran } = recorder('write')
  let isFirst = true
  const early = defineHook({
    name: 'early',
    on: turnPrePromptContext,
    run: async (_input, context) => {
      if (!isFirst) return proceed
      isFirst = false
      const { runtime } = await opened
      const acting = context
      await runtime.callTool(acting, { tool: 'write', args: { x: 2 } })
      return proceed
    },
  })
  const limits = { maxToolCalls: 1 }
  const opened: Promise<Bench> = openBench({
    calls,
    tools: [tool],
    hooks: [early],
    limits,
  })
  const { session } = await opened
  const { status } = await session.send('go').result
  expect(status).toBe('limited')
  expect(ran).toEqual([{ x: 2 }])
})

test('F019 F106 a model call of a hook passes the other gates with the origin `hook`, and counts in the budget', async () => {
  const { tool } = recorder('write')
  const origins: string[] = []
  const watch = defineHook({
    name: 'watch',
    on: llmPreCall,
    run: (_input, { scope }) => {
      origins.push(scope.origin)
      return proceed
    },
  })
  const act: Act = (runtime, context) =>
    runtime.callModel(context, {
      model: 'scripted/model',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'judge' }] }],
      tools: [],
      settings: {},
    })
  const script = [{ calls }, { text: 'verdict' }, { text: 'done' }]
  const { acted, result } = await actingGate(act, {
    tools: [tool],
    hooks: [watch],
    script,
  })
  expect(acted[0]).toMatchObject({
    content: [{ type: 'text', text: 'verdict' }],
  })
  expect(origins).toEqual(['user', 'hook', 'user'])
  expect(result.usage.inputTokens).toBe(30)
  expect(result.steps).toBe(2)
})

test('F019 two gates that call tools leave themselves out, and each judges the other', async () => {
  const { tool, ran } = recorder('write')
  const judged: string[] = []
  const second = defineHook({
    name: 'second',
    on: toolGuard,
    run: async ({ args }, context) => {
      judged.push(`second ${JSON.stringify(args['x'])}`)
      if (args['x'] !== 1) return proceed
      const { runtime } = await opened.promise
      const acting = context
      await runtime.callTool(acting, { tool: 'write', args: { x: 3 } })
      return proceed
    },
  })
  const opened = Promise.withResolvers<{ runtime: Runtime }>()
  const act: Act = (runtime, context) => {
    opened.resolve({ runtime })
    judged.push('acting')
    return Number(ran.length) === 0
      ? runtime.callTool(context, { tool: 'write', args: { x: 2 } })
      : Promise.resolve()
  }
  await actingGate(act, { tools: [tool], hooks: [second] })
  expect(ran).toEqual([{ x: 2 }, { x: 3 }, { x: 1 }])
  expect(judged).toEqual(['acting', 'second 2', 'second 1', 'acting'])
})

test('a hook that is in no turn cannot call a tool', async () => {
  const { tool } = recorder('write')
  const { runtime } = await openBench({ calls, tools: [tool] })
  const stray = { scope: { turnId: 'nowhere' }, hook: 'stray' }
  const context = stray as unknown as AnyContext
  const call = runtime.callTool(context, { tool: 'write', args: {} })
  await expect(call).rejects.toMatchObject({ code: 'invalid-call' })
})

test('T19 a hook that changes the arguments of its call afterwards changes nothing that is judged or run', async () => {
  const { tool, ran } = recorder('write')
  const args = { deep: { x: 2 } }
  const act: Act = (runtime, context) => {
    const ended = callWrite(args)(runtime, context)
    Reflect.set(args.deep, 'x', 99)
    return ended
  }
  await actingGate(act, { tools: [tool] })
  expect(ran[0]).toEqual({ deep: { x: 2 } })
})

test('T19 a hook whose arguments are frozen only outside cannot change them between the gates and the tool', async () => {
  const executed: string[] = []
  const { tool } = recorder('write', {
    execute: (given) => {
      executed.push(JSON.stringify(given))
      return 'ran'
    },
  })
  const deep = { x: 99 }
  const judged: string[] = []
  const at = (name: string, priority: number, run: () => void): Hook =>
    defineHook({
      name,
      on: toolGuard,
      priority,
      match: ({ args }) => 'deep' in args,
      run: ({ args }) => {
        run()
        if (name === 'honest') judged.push(JSON.stringify(args))
        return proceed
      },
    })
  const hooks = [
    at('hide', 1, () => Reflect.set(deep, 'x', 1)),
    at('honest', 2, () => {}),
    at('show', 3, () => Reflect.set(deep, 'x', 99)),
  ]
  const act = callWrite(Object.freeze({ deep }))
  await actingGate(act, { tools: [tool], hooks })
  const inner = executed.filter((text) => text.includes('deep'))
  for (const text of inner) expect(judged).toContain(text)
})

test('F019 the call of a hook that ran out of time while its tool ran still ends once, and is recorded', async () => {
  const inner = defer<string>()
  const outer = defer<string>()
  const begun = defer()
  const { tool, ran } = recorder('write', {
    execute: (given) => {
      if (Object(given).x === 1) return outer.promise
      begun.resolve()
      return inner.promise
    },
  })
  const after: string[] = []
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: ({ call, status }) => {
      after.push(`${JSON.stringify(call.args)} ${status}`)
      return proceed
    },
  })
  const gate: Hook = defineHook({
    name: 'acting',
    on: toolGuard,
    timeoutMs: 100,
    onFailure: 'open',
    run: async (_call, context) => {
      const { runtime } = await opened
      await runtime.callTool(context, { tool: 'write', args: { x: 2 } })
      return proceed
    },
  })
  const hooks = [gate, post]
  const opened: Promise<Bench> = openBench({ calls, tools: [tool], hooks })
  const bench = await opened
  const { result } = bench.session.send('go')
  await begun.promise
  await bench.clock.advance(100)
  await settle()
  inner.resolve('finished')
  await settle()
  outer.resolve('finished')
  await result
  expect(ran).toEqual([{ x: 2 }, { x: 1 }])
  expect(after.filter((line) => line.includes('"x":2'))).toHaveLength(1)
  const ended = bench.journal.filter(({ type }) => type === 'call-end')
  expect(ended).toHaveLength(2)
})

/**
 * A turn in which a gate of `write` calls it, and waits until `answersWhen`.
 * The call that it makes is held while it runs, and while it is judged.
 */
function heldCall(answersWhen: 'begun' | 'judged' | 'ended') {
  const held = {
    begun: defer(),
    ran: defer(),
    judging: defer(),
    judged: defer(),
  }
  const after: string[] = []
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    match: ({ call }) => call.args['x'] === 2,
    run: async ({ status }) => {
      after.push(status)
      held.judging.resolve()
      await held.judged.promise
      after.push('answered')
      return proceed
    },
  })
  const gate: Hook = defineHook({
    name: 'acting',
    on: toolGuard,
    run: async (_call, context) => {
      const { runtime } = await opened
      const ended = runtime.callTool(context, { tool: 'write', args: { x: 2 } })
      const moments = {
        begun: held.begun.promise,
        judged: held.judging.promise,
        ended,
      }
      await moments[answersWhen]
      return proceed
    },
  })
  const { tool } = recorder('write', {
    execute: async (given) => {
      if (Object(given).x === 1) return 'ran'
      held.begun.resolve()
      await held.ran.promise
      return 'ran'
    },
  })
  const hooks = [gate, post]
  const opened: Promise<Bench> = openBench({ calls, tools: [tool], hooks })
  return { opened, held, after }
}

/** How the call that the hook made ended, as the journal has it. */
const endsOfInner = ({ journal }: Bench) =>
  journal.flatMap((entry) =>
    entry.type === 'call-end' && entry.ended.call.args['x'] === 2
      ? [entry.ended]
      : [],
  )

const executed = [{ status: 'executed', result: { isError: false } }]

test('F019 the call of a hook whose turn is cancelled while `tool.post_call` is asked ends once, as its hooks left it', async () => {
  const { opened, held, after } = heldCall('ended')
  const bench = await opened
  const turn = bench.session.send('go')
  held.ran.resolve()
  await held.judging.promise
  turn.cancel('enough')
  await settle()
  held.judged.resolve()
  const { status } = await turn.result
  await settle()
  expect(status).toBe('cancelled')
  expect(after).toEqual(['executed', 'answered'])
  expect(endsOfInner(bench)).toMatchObject(executed)
})

test.each(['begun', 'judged'] as const)(
  'F019 a call whose hook answers when it is only %s reaches `tool.post_call` once, and is recorded',
  async (moment) => {
    const { opened, held, after } = heldCall(moment)
    const bench = await opened
    const { result } = bench.session.send('go')
    await held.begun.promise
    if (moment === 'judged') held.ran.resolve()
    await settle()
    held.ran.resolve()
    await held.judging.promise
    await settle()
    held.judged.resolve()
    const { status } = await result
    await settle()
    expect(status).toBe('succeeded')
    expect(after).toEqual(['executed', 'answered'])
    expect(endsOfInner(bench)).toMatchObject(executed)
  },
)

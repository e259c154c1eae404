import { inspect } from 'node:util'
import { ask, defineHook, type Hook, proceed, transform } from 'hookline'
import {
  type BoundTool,
  type JsonObject,
  llmPostCall,
  type ModelContent,
  type ToolContext,
  toolGuard,
  toolPreCall,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalsPort,
  createAgent,
  createMemoryStore,
  createPolicy,
  type Model,
  type SessionStore,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import {
  type Bench,
  defer,
  endOf,
  openBench,
  recorder,
  resultsOf,
  runTurn,
  settle,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

const asker: Hook = defineHook({
  name: 'asker',
  on: toolGuard,
  run: () => ask('Sure?'),
})

/** What arguments can hold that is not as frozen as it looks. */
interface Held {
  readonly date?: Date
  readonly map?: Map<string, string>
  readonly list?: string[]
}

/** Changes whatever of it can be changed. */
function change({ date, map, list }: Held): void {
  date?.setFullYear?.(2099)
  map?.set?.('x', 'evil')
  if (!Object.isFrozen(list)) list?.push('evil')
}

/** Edits the call, then changes what it gave and is shown, then allows it. */
function editing(given: object): ApprovalsPort {
  let isEdited = false
  return {
    ask: async ({ call }) => {
      // On purpose: an approver can be written without types.
      const args = given as JsonObject
      if (isEdited) for (const held of [given, call.args]) change(held)
      const edit = { type: 'edit', args } as const
      const decision = isEdited ? ({ type: 'allow' } as const) : edit
      isEdited = true
      return { decision, by: 'ann' }
    },
  }
}

describe('what an approver has edited', () => {
  /** Says one thing to the first who ask, and another to the tool. */
  const shifty = () => {
    let reads = 0
    return {
      get x() {
        return reads++ < 1 ? 'good' : 'evil'
      },
    }
  }

  test.each<[string, object]>([
    ['a date', { date: new Date(0) }],
    ['a map', { map: new Map([['x', 'good']]) }],
    ['an accessor', shifty()],
    ['an accessor further in', { in: shifty() }],
  ])('never runs as it was changed later: %s', async (_, args) => {
    const ran: string[] = []
    const { tool } = recorder('write', {
      execute: (given) => {
        ran.push(inspect(given, { getters: true }))
        return 'ran'
      },
    })
    const approvals = editing(args)
    await runTurn({ calls, tools: [tool], approvals, hooks: [asker] })
    expect(ran.join()).not.toMatch(/evil|2099/)
  })

  test('runs as a copy of what it was', async () => {
    const { tool, ran } = recorder('write')
    const approvals = editing({ list: ['good'] })
    await runTurn({ calls, tools: [tool], approvals, hooks: [asker] })
    expect(ran).toEqual([{ list: ['good'] }])
  })
})

test.each([
  ['tool.pre_call', toolPreCall],
  ['tool.guard', toolGuard],
])(
  'arguments that a check gave with a list of its own do not change at %s',
  async (_, on) => {
    const { tool, ran } = recorder('write')
    const list = ['good']
    const checked: BoundTool = {
      ...tool,
      checkArgs: () => ({ args: Object.freeze({ list }) }),
    }
    const changing = defineHook({
      name: 'changing',
      on,
      run: () => {
        list.push('evil')
        return proceed
      },
    })
    await runTurn({ calls, tools: [checked], hooks: [changing] })
    expect(ran).toEqual([{ list: ['good'] }])
  },
)

describe('a turn is cancelled although no answer ever comes from', () => {
  const { tool } = recorder('write')
  // A prompt that no hook takes part in has no phases to plan for.
  const phase = defineHook({
    name: 'phase',
    on: turnPrePromptContext,
    run: () => proceed,
  })
  type Options = Partial<Parameters<typeof createAgent>[0]>
  const never: readonly [string, (hang: () => Promise<never>) => Options][] = [
    [
      'policy.grant',
      (grant) => ({ policy: { grant, needsGate: () => false } }),
    ],
    ['models.resolve', (resolve) => ({ model: 'a/b', models: { resolve } })],
    ['checkArgs', (checkArgs) => ({ tools: [{ ...tool, checkArgs }] })],
    ['preflight.plan', (plan) => ({ preflight: { plan }, hooks: [phase] })],
  ]
  test.each(never)('%s', async (_, hanging) => {
    const reached = defer()
    const hang = () => {
      reached.resolve()
      return new Promise<never>(() => {})
    }
    const model = scriptedModel([{ calls }, { text: 'Done.' }])
    const policy = createPolicy({ mode: 'open' })
    const agent = createAgent({
      ...{ model, policy, tools: [tool] },
      ...hanging(hang),
    })
    const turn = agent.run('Go.')
    await reached.promise
    turn.cancel()
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
  })
})

/** A store that cannot write down how a call ended. */
function forgetful(callId: string, kept: unknown[]): SessionStore {
  const store = createMemoryStore()
  return {
    ...store,
    async append(sessionId, entries) {
      const isEnd = entries.some(
        (one) => one.type === 'call-end' && one.ended.call.id === callId,
      )
      if (isEnd) throw new Error('disk full')
      await store.append(sessionId, entries)
      kept.push(...entries)
    },
  }
}

test('a call whose end cannot be written stays in history with a note, its siblings are waited for, and it is listed once', async () => {
  const both = [...calls, { tool: 'slow', id: 'c2' }]
  const open = defer<string>()
  const { tool, ran } = recorder('write')
  const slow = recorder('slow', { execute: () => open.promise })
  const kept: unknown[] = []
  const store = forgetful('c1', kept)
  const tools = [tool, slow.tool]
  const bench = await openBench({ calls: both, tools, store })
  let isOver = false
  const { result } = bench.session.send('go')
  const over = result.then(() => {
    isOver = true
  })
  await settle()
  expect(isOver).toBe(false)
  open.resolve('slow')
  await over
  const { messages } = bench.session
  const { status } = await result
  expect(status).toBe('failed')
  expect(ran).toHaveLength(1)
  expect(resultsOf(messages).map(({ callId }) => callId)).toEqual(['c1', 'c2'])
  expect(told(bench, 'c1')).toContain('could not be recorded')
  expect(told(bench, 'c2')).toBe('slow')
  expect(JSON.stringify(messages.at(-1))).toContain('[turn failed')
  const listed = [{ callId: 'c1' }, { callId: 'c2' }]
  expect(kept.at(-1)).toMatchObject({
    type: 'turn-end',
    summary: { tools: listed, toolCount: 2 },
  })
})

/** Does nothing before somebody asks for its outcome. */
function lazily<T>(work: () => T | PromiseLike<T>): Promise<T> {
  const lazy: PromiseLike<T> = {
    // On purpose: a query builder is such an object.
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    then: (resolve, reject) =>
      new Promise((next) => setImmediate(next))
        .then(work)
        .then(resolve, reject),
  }
  return lazy as Promise<T>
}

/** A store of which this much is lazy. */
function lazyStore(how: 'append' | 'all', log: string[]) {
  const inner = createMemoryStore()
  const append: SessionStore['append'] = (id, entries) =>
    lazily(async () => {
      await inner.append(id, entries)
      log.push(...entries.map(({ type }) => type))
    })
  const all: SessionStore = {
    load: (id) => lazily(() => inner.load(id)),
    create: (info) => lazily(() => inner.create(info)),
    delete: (id) => lazily(() => inner.delete(id)),
    append,
  }
  return { inner, store: how === 'all' ? all : { ...inner, append } }
}

test.each(['append', 'all'] as const)(
  'a store that begins only when it is waited for has the seal of a call before the tool runs: %s',
  async (how) => {
    const log: string[] = []
    const { inner, store } = lazyStore(how, log)
    const execute = () => {
      log.push('ran')
      return 'ran'
    }
    const { tool } = recorder('write', { execute })
    const bench = await runTurn({ calls, tools: [tool], store })
    expect(log).toEqual([
      ...['turn-start', 'step-open', 'call-seal', 'ran', 'call-end'],
      ...['step-commit', 'step-commit', 'turn-end'],
    ])
    const stored = await inner.load('session')
    expect(stored?.messages).toEqual(bench.session.messages)
  },
)

/** A model that says these contents, one after the other. */
function saying(...contents: readonly ModelContent[]): Model {
  let count = 0
  return {
    abilities: { tools: true, images: true, files: true, reasoning: true },
    generate: () => {
      const content = contents[count++] ?? [{ type: 'text', text: 'Done.' }]
      const isCall = content.some(({ type }) => type === 'tool_call')
      const stopReason = isCall ? 'tool_calls' : 'end_turn'
      return { content, stopReason, usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
}

function nested(levels: number): JsonObject {
  let made: JsonObject = {}
  for (let level = 1; level < levels; level++) made = { in: made }
  return made
}

test('arguments that are nested 20 000 deep deny their call, and the turn goes on', async () => {
  const { tool, ran } = recorder('write')
  const call = { type: 'tool_call', tool: 'write' } as const
  const model = saying([
    { ...call, id: 'deep', args: nested(20_000) },
    { ...call, id: 'flat', args: { x: 1 } },
  ])
  const policy = createPolicy({ mode: 'open' })
  const agent = createAgent({ model, tools: [tool], policy })
  const session = await agent.openSession()
  const result = await session.send('Go.').result
  expect(result).toMatchObject({ status: 'succeeded', text: 'Done.' })
  expect(ran).toEqual([{ x: 1 }])
  expect(resultsOf(session.messages)).toMatchObject([
    { callId: 'deep', isError: true },
    { callId: 'flat', isError: false },
  ])
})

describe('what a hook calls when the limits of the turn are used up is refused', () => {
  test('a tool', async () => {
    const { tool, ran } = recorder('write')
    const refused: unknown[] = []
    const hook = defineHook({
      name: 'acting',
      on: toolGuard,
      run: async (_, context) => {
        const { runtime } = await opened
        const call = { tool: 'write', args: { x: 2 } }
        await runtime.callTool(context, call).catch((e) => refused.push(e))
        return proceed
      },
    })
    const limits = { maxToolCalls: 1 }
    const parts = { calls, tools: [tool], hooks: [hook], limits }
    const opened: Promise<Bench> = openBench(parts)
    const { session } = await opened
    await session.send('go').result
    expect(refused).toMatchObject([{ code: 'limit-reached' }])
    expect(ran).toEqual([{ x: 1 }])
  })

  test('a model', async () => {
    const refused: unknown[] = []
    const hook = defineHook({
      name: 'acting',
      on: llmPostCall,
      run: async (_, context) => {
        const { runtime, model } = await opened
        const [request] = model.requests
        if (request === undefined) return proceed
        const asked = runtime.callModel(context, request)
        await asked.catch((e) => refused.push(e))
        return proceed
      },
    })
    const script = [{ text: 'One.' }, { text: 'Two.' }]
    const limits = { maxTokens: 10 }
    const opened: Promise<Bench> = openBench({ script, hooks: [hook], limits })
    const { session, model } = await opened
    await session.send('go').result
    expect(refused).toMatchObject([{ code: 'limit-reached' }])
    expect(model.requests).toHaveLength(1)
  })
})

describe('a tool that keeps its context', () => {
  async function keeping() {
    const kept: ToolContext[] = []
    const { tool } = recorder('write', {
      execute: (_, context) => {
        kept.push(context)
        return 'ran'
      },
    })
    const bench = await runTurn({ calls, tools: [tool] })
    return { bench, context: kept[0] as ToolContext }
  }

  test('cannot hand on its call when that has ended', async () => {
    const { context, bench } = await keeping()
    await expect(context.forward()).rejects.toThrow('over')
    expect(endOf(bench, 'c1').status).toBe('executed')
  })

  test('cannot tell how far it is when its call has ended', async () => {
    const { context, bench } = await keeping()
    context.progress('Still here.')
    await settle()
    expect(bench.events.map(({ type }) => type)).not.toContain('tool-delta')
  })
})

describe('what no gate saw', () => {
  const searched = (id: string) =>
    ({
      type: 'tool_call',
      id,
      tool: `search-${id}`,
      args: {},
      providerExecuted: true,
    }) as const

  async function alarmsOf(...hooks: Hook[]) {
    const alarms: string[] = []
    const agent = createAgent({
      model: saying([searched('p1'), { type: 'text', text: 'Found.' }]),
      hooks,
      onAlarm: (code, about) => alarms.push(`${code} ${about}`),
    })
    await agent.run('Go.').result
    return alarms
  }

  const adding = (content: ModelContent) =>
    defineHook({
      name: 'adding',
      on: llmPostCall,
      writes: true,
      run: ({ response }) =>
        response === undefined
          ? proceed
          : transform({
              ...response,
              content: [...response.content, ...content],
            }),
    })

  test('a call that the provider ran itself raises the alarm', async () => {
    expect(await alarmsOf()).toEqual(['ungated search-p1'])
  })

  test('raises it once, whatever hooks make of the reply', async () => {
    const words = adding([{ type: 'text', text: 'Checked.' }])
    expect(await alarmsOf(words)).toEqual(['ungated search-p1'])
  })

  test('raises it if a hook has put it in', async () => {
    const more = adding([searched('p2')])
    expect(await alarmsOf(more)).toEqual([
      'ungated search-p1',
      'ungated search-p2',
    ])
  })
})

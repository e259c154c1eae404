import {
  ask,
  defineHook,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  transform,
} from 'hookline'
import {
  type JsonObject,
  restriction,
  type SealedCall,
  type ToolCall,
  toolGuard,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy, type PolicyPort } from '../index.ts'
import {
  argsOf,
  type Bench,
  endOf,
  recorder,
  runTurn,
  sealsOf,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

function rewrite(name: string, args: unknown, priority = 100): Hook {
  return defineHook({
    name,
    on: toolPreCall,
    priority,
    writes: true,
    // What types would refuse comes from hooks that have none.
    run: () => transform(args as JsonObject),
  })
}

/** A guard that lets everything pass and keeps what it was shown. */
function watcher(): { readonly hook: Hook; readonly seen: SealedCall[] } {
  const seen: SealedCall[] = []
  const hook = defineHook({
    name: 'watcher',
    on: toolGuard,
    run: (call) => {
      seen.push(call)
      return proceed
    },
  })
  return { hook, seen }
}

test('a rewrite is what runs, and history, record, guard and hooks after the call show it', async () => {
  const { tool, ran } = recorder('write')
  const { hook: guard, seen } = watcher()
  const after: ToolCall[] = []
  const post = defineHook({
    name: 'post',
    on: toolPostCall,
    run: ({ call }) => {
      after.push(call)
      return proceed
    },
  })
  const hooks = [rewrite('writer', { x: 2 }), guard, post]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([{ x: 2 }])
  expect(argsOf(bench, 'c1')).toEqual({ x: 2 })
  const shown = [sealsOf(bench)[0]?.call, seen[0], after[0]]
  for (const call of shown) {
    expect(call).toMatchObject({ args: { x: 2 }, originalArgs: { x: 1 } })
  }
})

test('a call that nobody changed has no original beside it', async () => {
  const { tool } = recorder('write')
  const hooks = [rewrite('writer', { x: 1 })]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(sealsOf(bench)[0]?.call.originalArgs).toBeUndefined()
})

test('several rewrites leave the last one, and the arguments of the model as the original', async () => {
  const { tool, ran } = recorder('write')
  const hooks = [rewrite('one', { x: 2 }, 1), rewrite('two', { x: 3 }, 2)]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([{ x: 3 }])
  expect(sealsOf(bench)[0]?.call.originalArgs).toEqual({ x: 1 })
})

test('F041 T18 a transform that aims at tool, id, owner or grant reaches only the arguments', async () => {
  const { tool, ran } = recorder('write')
  const other = recorder('shell')
  const aimed = {
    ...{ id: 'c9', tool: 'shell', owner: 'runtime', safety: 'read_only' },
    grant: { decision: 'allow', roots: ['/'] },
    seal: 'mine',
    args: { x: 99 },
  }
  const { hook: guard, seen } = watcher()
  const hooks = [rewrite('writer', aimed), guard]
  const bench = await runTurn({ calls, tools: [tool, other.tool], hooks })
  expect(seen[0]).toMatchObject({ id: 'c1', tool: 'write', owner: 'agent' })
  expect(seen[0]?.safety).toBe('mutating')
  expect(ran).toEqual([aimed])
  expect(other.ran).toEqual([])
  expect(endOf(bench, 'c1').status).toBe('executed')
})

test('F041 T18 a transform that aims at a prototype is no answer, and the gate is closed', async () => {
  const { tool, ran } = recorder('write')
  const polluting: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"x":1}')
  const hooks = [rewrite('writer', polluting)]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'denied',
    error: 'denied',
  })
})

test.each([
  ['a text', 'x'],
  ['a list', [1]],
  ['nothing', null],
  ['a number', 7],
])(
  'F041 a transform into %s, which arguments cannot be, runs nothing',
  async (_name, value) => {
    const { tool, ran } = recorder('write')
    const hooks = [rewrite('writer', value)]
    const bench = await runTurn({ calls, tools: [tool], hooks })
    expect(ran).toEqual([])
    expect(endOf(bench, 'c1').status).toBe('denied')
  },
)

test('F042 a rewrite that breaks the schema is a denial that names the last rewriter', async () => {
  const { tool, ran } = recorder('write', {
    input: {
      type: 'object',
      properties: { x: { type: 'number' } },
      additionalProperties: false,
    },
  })
  const hooks = [
    rewrite('first-writer', { x: 2 }, 1),
    rewrite('last-writer', { x: 'two' }, 2),
  ]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1').status).toBe('denied')
  expect(told(bench, 'c1')).toContain('last-writer')
  expect(told(bench, 'c1')).not.toContain('first-writer')
})

test('F042 a replace that breaks the schema is denied, too', async () => {
  const { tool, ran } = recorder('write', {
    input: { type: 'object', required: ['x'] },
  })
  const replacer = defineHook({
    name: 'replacer',
    on: toolPreCall,
    writes: true,
    run: () => replace({}),
  })
  const bench = await runTurn({ calls, tools: [tool], hooks: [replacer] })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toContain('replacer')
})

/** Denies `x` above a limit, and counts how often it is asked. */
function countingPolicy(limit: number): PolicyPort & { asked: unknown[] } {
  const open = createPolicy({ mode: 'open' })
  const asked: unknown[] = []
  return {
    asked,
    needsGate: () => false,
    async grant(call, scope) {
      asked.push(call.args)
      const grant = await open.grant(call, scope)
      const isOver = Number(call.args['x']) > limit
      return isOver ? { ...grant, decision: 'deny', reason: 'too much' } : grant
    },
  }
}

test('policy is asked again after a rewrite, and a rewrite into a denied form is denied', async () => {
  const { tool, ran } = recorder('write')
  const policy = countingPolicy(50)
  const hooks = [rewrite('writer', { x: 99 })]
  const bench = await runTurn({ calls, tools: [tool], hooks, policy })
  expect(policy.asked).toEqual([{ x: 1 }, { x: 99 }])
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'denied',
    error: 'denied',
  })
  expect(told(bench, 'c1')).toBe('too much')
})

test('policy is asked once where nobody has rewritten anything', async () => {
  const { tool } = recorder('write')
  const policy = countingPolicy(50)
  await runTurn({ calls, tools: [tool], policy, hooks: [watcher().hook] })
  expect(policy.asked).toEqual([{ x: 1 }])
})

test('T16 a rewrite out of a denied form comes too late: policy is the first gate', async () => {
  const { tool, ran } = recorder('write')
  const hooks = [rewrite('writer', { x: 1 })]
  const denied = [{ tool: 'write', id: 'c1', args: { x: 99 } }]
  const policy = countingPolicy(50)
  await runTurn({ calls: denied, tools: [tool], hooks, policy })
  expect(ran).toEqual([])
})

test('the grant after a rewrite is narrower than both, never wider than the first', async () => {
  const { tool } = recorder('write')
  const rule = (x: number, timeoutMs: number, roots: string[]) =>
    ({ args: { x }, decision: 'allow', timeoutMs, roots }) as const
  const policy = createPolicy({
    mode: 'deny-all',
    roots: ['/a', '/b', '/c'],
    rules: [rule(1, 100, ['/a', '/b']), rule(2, 900, ['/b', '/c'])],
  })
  const hooks = [rewrite('writer', { x: 2 })]
  const bench = await runTurn({ calls, tools: [tool], hooks, policy })
  const grant = sealsOf(bench)[0]?.call.grant
  expect(grant).toMatchObject({ timeoutMs: 100, roots: ['/b'] })
})

function restrict(name: string, value: object, priority = 100): Hook {
  const hook = defineHook({
    name,
    on: toolPreCall,
    priority,
    capabilities: ['restriction'],
    run: (_call, context) => {
      context.contribute(restriction(value))
      return proceed
    },
  })
  return hook
}

test('T17 hooks narrow the grant, all of them together, whatever their order', async () => {
  const policy = createPolicy({
    mode: 'open',
    roots: ['/repo'],
    network: 'all',
  })
  const narrow = [
    restrict('one', { roots: ['/repo/a'], timeoutMs: 500 }, 1),
    restrict('two', { roots: ['/repo'], network: 'none', timeoutMs: 900 }, 2),
  ]
  for (const hooks of [narrow, narrow.toReversed()]) {
    const { tool } = recorder('write')
    const bench = await runTurn({ calls, tools: [tool], hooks, policy })
    const grant = sealsOf(bench)[0]?.call.grant
    const wanted = { roots: ['/repo/a'], network: 'none', timeoutMs: 500 }
    expect(grant).toMatchObject(wanted)
    const authors = hooks.map(({ name }) => name).toSorted()
    expect(narrowed(bench).toSorted()).toEqual(authors)
  }
})

/** Who is told to have narrowed the grant. */
function narrowed({ events }: Bench): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== 'hook-replace' || event.subject !== 'grant') return []
    return [event.hook]
  })
}

test('T17 a restriction to more than the grant gives changes nothing', async () => {
  const { tool } = recorder('write')
  const policy = createPolicy({ mode: 'open', roots: ['/repo'], timeoutMs: 10 })
  const hooks = [
    restrict('wide', { roots: ['/'], timeoutMs: 9_999, network: 'all' }),
  ]
  const bench = await runTurn({ calls, tools: [tool], hooks, policy })
  const grant = sealsOf(bench)[0]?.call.grant
  const wanted = { roots: ['/repo'], timeoutMs: 10, network: 'none' }
  expect(grant).toMatchObject(wanted)
  expect(narrowed(bench)).toEqual([])
})

test('T17 a restriction that cannot be read denies the call', async () => {
  const { tool, ran } = recorder('write')
  const hooks = [restrict('odd', { roots: ['a\0b'] })]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1').status).toBe('denied')
  expect(narrowed(bench)).toEqual(['odd'])
})

test('T17 a restriction stays when the arguments are rewritten', async () => {
  const { tool } = recorder('write')
  const hooks = [
    restrict('narrow', { timeoutMs: 5 }, 1),
    rewrite('writer', { x: 2 }, 2),
  ].map((hook) => ({ ...hook, beforeWrites: true }))
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(sealsOf(bench)[0]?.call.grant.timeoutMs).toBe(5)
})

test.each([
  ['no decision that there is', { decision: 'Allow' }],
  ['no decision at all', { decision: undefined }],
  ['no limits', { timeoutMs: undefined }],
])(
  'a policy that gives a grant with %s has not allowed the call',
  async (_name, wrong) => {
    const { tool, ran } = recorder('write')
    const open = createPolicy({ mode: 'open' })
    const policy = {
      needsGate: () => false,
      grant: async (...asked: Parameters<PolicyPort['grant']>) =>
        ({ ...(await open.grant(...asked)), ...wrong }) as never,
    }
    await runTurn({ calls, tools: [tool], policy })
    expect(ran).toEqual([])
  },
)

test('T16 a reject stands whatever other hooks say, before it or after it', async () => {
  const consent = defineHook({
    name: 'consent',
    on: toolPreCall,
    priority: 1,
    run: () => proceed,
  })
  const doubt = defineHook({
    name: 'doubt',
    on: toolPreCall,
    priority: 2,
    run: () => ask('sure?'),
  })
  const deny = defineHook({
    name: 'deny',
    on: toolPreCall,
    priority: 3,
    run: () => reject('no'),
  })
  const give = defineHook({
    name: 'give',
    on: toolPreCall,
    priority: 4,
    run: () => respond({ content: [], isError: false }),
  })
  const { tool, ran } = recorder('write')
  const hooks = [consent, doubt, deny, give]
  const bench = await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('no')
})

test('a synthesized result is told under the call id, and nothing runs or is sealed', async () => {
  const { tool, ran } = recorder('write')
  const given = defineHook({
    name: 'given',
    on: toolPreCall,
    run: () =>
      respond({ content: [{ type: 'text', text: 'made up' }], isError: false }),
  })
  const bench = await runTurn({ calls, tools: [tool], hooks: [given] })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('made up')
  expect(endOf(bench, 'c1').status).toBe('synthesized')
  expect(sealsOf(bench)).toEqual([])
})

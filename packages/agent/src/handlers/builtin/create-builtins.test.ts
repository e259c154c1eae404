import { reject } from 'hookline'
import { points } from 'hookline/lifecycle'
import { createFakeClock, toolCall, tryHook } from 'hookline/testing'
import { expect, test } from 'vitest'
import { bindHook } from '../bind-hook.ts'
import type { BuiltinDefinition } from '../definition.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { CodeRun } from '../module/code-run.ts'
import { type Builtin, createBuiltins } from './create-builtins.ts'

const blockTool: Builtin = {
  name: 'block-tool',
  points: ['tool.guard', 'tool.pre_call'],
  optionsSchema: {
    properties: { tool: { type: 'string' }, reason: { type: 'string' } },
    required: ['tool'],
  },
  create: ({ tool, reason }) => {
    const run: CodeRun<{ tool: string }> = (input) =>
      input.tool === tool
        ? reject(typeof reason === 'string' ? reason : 'No.')
        : { type: 'proceed' }
    return run
  },
}

const other: Builtin = { ...blockTool, name: 'block-tools' }

const use = (definition: Partial<BuiltinDefinition>, point = 'tool.guard') => ({
  definition: { type: 'builtin', name: 'block-tool', ...definition } as const,
  point,
})

/** Asks a hook of `tool.guard` that runs this code. */
async function tried(run: CodeRun, onFailure: 'open' | 'closed' = 'closed') {
  const code: Builtin = { ...blockTool, create: () => run }
  const builtins = createBuiltins([code])
  const handler = await builtins.open(use({ options: { tool: 'a' } }))
  const definition = use({}).definition
  const hook = bindHook(
    {
      on: 'tool.guard',
      onFailure,
      capabilities: ['audit'],
      handler: definition,
    },
    {
      name: 'hook',
      point: points['tool.guard'],
      handler,
      callModel: () => Promise.reject(new Error('no model')),
    },
  )
  return await tryHook(hook, toolCall('bash', {}))
}

test('a builtin answers by its options', async () => {
  const builtins = createBuiltins([blockTool])
  const options = { tool: 'bash', reason: 'No shell here.' }
  const handler = await builtins.open(use({ options }))
  const hook = bindHook(
    { on: 'tool.guard', handler: use({}).definition },
    {
      name: 'hook',
      point: points['tool.guard'],
      handler,
      callModel: () => Promise.reject(new Error('no model')),
    },
  )
  const trial = await tryHook(hook, toolCall('bash', {}))
  trial.rejects('No shell here.')
  const second = await tryHook(hook, toolCall('read', {}))
  second.proceeds()
})

test.each([
  [
    use({ name: 'blok-tool' }),
    'There is no builtin "blok-tool"; did you mean "block-tool"?',
  ],
  [
    use({ name: 'entirely-else' }),
    'There is no builtin "entirely-else"; those there are: block-tool, block-tools.',
  ],
  [
    use({ name: 'toString' }),
    'There is no builtin "toString"; those there are: block-tool, block-tools.',
  ],
  [
    use({ options: { tool: 'a' } }, 'turn.input'),
    'The builtin "block-tool" cannot be used at turn.input; its points are: tool.guard, tool.pre_call.',
  ],
  [use({}), /do not fit: .*tool/],
  [use({ options: { tool: 7 } }), /do not fit: .*tool/],
  [use({ options: { tool: 'a', raeson: 'x' } }), /do not fit/],
])('what is wrong with a use is found at load: %#', async (given, problem) => {
  const builtins = createBuiltins([blockTool, other])
  const found = await builtins.findProblem(given)
  expect(found).toMatch(problem)
  await expect(builtins.open(given)).rejects.toThrow(HandlerFailure)
  await expect(builtins.open(given)).rejects.toMatchObject({
    code: 'not-started',
    message: found,
  })
})

test('a use without a problem has none', async () => {
  const builtins = createBuiltins([blockTool])
  const good = use({ options: { tool: 'bash' } })
  expect(await builtins.findProblem(good)).toBeUndefined()
})

test('an empty registry says that it is empty', async () => {
  const problem = await createBuiltins([]).findProblem(use({}))
  expect(problem).toContain('none is registered')
})

test.each(['Block', 'a b', '', '-a', '__proto__'])(
  '%j is no name of a builtin',
  (name) => {
    expect(() => createBuiltins([{ ...blockTool, name }])).toThrow(
      HandlerFailure,
    )
  },
)

test('two builtins of one name are refused', () => {
  expect(() => createBuiltins([blockTool, blockTool])).toThrow(/rename one/)
})

test('each hook has its own options, which the builtin may not change for others', async () => {
  const seen: unknown[] = []
  const keeper: Builtin = {
    ...blockTool,
    create: (options) => {
      seen.push(options)
      return () => ({ type: 'proceed' })
    },
  }
  const options = { tool: 'a' }
  await createBuiltins([keeper]).open(use({ options }))
  expect(seen).toEqual([options])
  expect(seen[0]).not.toBe(options)
})

test('contributions and diagnostics of a builtin count', async () => {
  const trial = await tried((_input, { contribute, diagnose }) => {
    contribute({ kind: 'audit', value: { event: 'seen' } })
    diagnose('note', 'It was looked at.')
    return { type: 'proceed' }
  })
  trial.proceeds()
  expect(trial.record?.diagnostics).toMatchObject([{ code: 'note' }])
  expect(Object(trial.outcome).contributions.all).toHaveLength(1)
})

test('F025 what is no plain data is no answer', async () => {
  class Odd {
    readonly type = 'proceed'
  }
  const gives: unknown[] = [
    new Odd(),
    () => ({ type: 'proceed' }),
    Symbol.iterator,
    (async function* () {})(),
    { type: 'proceed', extra: new Map() },
    [{ type: 'proceed' }],
  ]
  for (const given of gives) {
    const run = (() => given) as CodeRun
    const closed = await tried(run)
    closed.denies()
    const open = await tried(run, 'open')
    expect(open.outcome).toMatchObject({ type: 'proceed' })
    expect(open.record).toMatchObject({ failedOpen: true })
  }
})

test('F035 what JSON cannot say is no answer', async () => {
  const cyclic: Record<string, unknown> = { type: 'proceed' }
  cyclic['self'] = cyclic
  const gives: unknown[] = [
    cyclic,
    { type: 'proceed', at: new Date() },
    { type: 'proceed', big: 10n },
    { type: 'proceed', sparse: new Array(3) },
    {
      type: 'proceed',
      toJSON: () => {
        throw new Error('no')
      },
    },
    Object.defineProperty({}, 'type', {
      get: () => 'proceed',
      enumerable: true,
    }),
  ]
  for (const given of gives) {
    const run = (() => given) as CodeRun
    const closed = await tried(run)
    closed.denies()
    const open = await tried(run, 'open')
    expect(open.record).toMatchObject({ failedOpen: true })
  }
})

test('F022 an answer that is too large is none', async () => {
  const run: CodeRun = () => reject('x'.repeat(2_000_000))
  const closed = await tried(run)
  closed.denies()
  const trial = await tried(run, 'open')
  expect(trial.record).toMatchObject({ failedOpen: true })
  const [diagnostic] = trial.record?.diagnostics ?? []
  expect(diagnostic?.code).toBe('handler.too-large')
})

test('code that never settles is given up when its time is over', async () => {
  const clock = createFakeClock()
  const hanging: Builtin = {
    ...blockTool,
    create: () => () => new Promise(() => {}),
  }
  const builtins = createBuiltins([hanging], { clock })
  const handler = await builtins.open(use({ options: { tool: 'a' } }))
  const asked = handler.ask({
    envelope: {
      protocol: 'hookline/1',
      point: 'tool.guard',
      hook: 'h',
      run: 'r',
      deadlineMs: 100,
      scope: { agent: 'a', origin: 'user', coreType: 'loop' },
      input: {},
    },
    signal: new AbortController().signal,
    remainingMs: () => 100,
    diagnose: () => {},
    callModel: () => Promise.reject(new Error('no model')),
  })
  const failure = expect(asked).rejects.toMatchObject({ code: 'timed-out' })
  await clock.advance(100)
  await failure
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import {
  type AsyncScope,
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  type EngineOptions,
  type Hook,
  type HookContext,
  HookError,
  proceed,
  reject,
  type ShapeOf,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

interface Scope {
  readonly session?: string
}

const pointNamed = (name: string) =>
  definePoint(name, {
    input: type<string>(),
    scope: type<Scope>(),
    answers: ['reject'],
  })

const outer = pointNamed('test.outer')
const inner = pointNamed('test.inner')

type P = typeof outer
type Context = HookContext<ShapeOf<P>>

const hook = (
  name: string,
  on: P,
  run: Hook<P, 'blocking', false>['run'],
  more: Partial<Hook<P, 'blocking', false>> = {},
) => defineHook({ name, on, run, ...more })

const engineOf = (hooks: readonly Hook[], options: EngineOptions = {}) =>
  createEngine(compileTable(hooks), options)

const forever = () => Promise.withResolvers<never>().promise

test('F017 F019 a hook that asks its own point is left out of the inner dispatch; all others judge it', () => {
  const asked: string[] = []
  const note = (name: string, depth: number) => asked.push(`${name}@${depth}`)
  const asks = hook('asks', outer, (input, context) => {
    note('asks', context.depth)
    void context.dispatch(outer, `${input}!`)
    return proceed
  })
  const judges = hook('judges', outer, (input, { depth }) => {
    note(`judges ${input}`, depth)
    return proceed
  })
  const outcome = engineOf([asks, judges]).run(outer, 'go')
  expect(outcome).toMatchObject({ type: 'proceed' })
  expect(asked).toEqual(['asks@0', 'judges go!@1', 'judges go@0'])
})

test('F019 another gate may reject what a hook asks from inside', async () => {
  const inside: string[] = []
  const nests = hook('nests', outer, async (_, context) => {
    inside.push((await context.dispatch(inner, 'rm')).type)
    return proceed
  })
  const gate = hook('gate', inner, () => reject('No.'))
  await engineOf([nests, gate]).run(outer, 'go')
  expect(inside).toEqual(['reject'])
})

test('F019 outer hooks, however far out, are left out of the inner dispatches', () => {
  const log: string[] = []
  const a = hook('a', outer, (_, context) => {
    log.push('a')
    void context.dispatch(inner, '')
    return proceed
  })
  const b = hook('b', inner, (_, context) => {
    log.push('b')
    void context.dispatch(outer, '')
    void context.dispatch(inner, '')
    return proceed
  })
  const c = hook('c', outer, (_, { depth }) => {
    log.push(`c@${depth}`)
    return proceed
  })
  void engineOf([a, b, c]).run(outer, '')
  expect(log).toEqual(['a', 'b', 'c@2', 'c@0'])
})

test('F019 a hook that was left out has neither a record nor a miss', () => {
  const records = createMemoryRecords()
  const nests = hook('nests', outer, (_, context) => {
    void context.dispatch(outer, '')
    return proceed
  })
  const engine = engineOf([nests], { records })
  void engine.run(outer, '')
  expect(records.all()).toHaveLength(1)
  expect(engine.counts().get('nests')).toBeUndefined()
})

test('an inner dispatch has the scope of the outer one unless it brings its own', () => {
  const seen: unknown[] = []
  const nests = hook('nests', outer, (_, context) => {
    void context.dispatch(inner, '')
    void context.dispatch(inner, '', { scope: { session: 'own' } })
    return proceed
  })
  const looks = hook('looks', inner, (_, { scope }) => {
    seen.push(scope.session)
    return proceed
  })
  const scope = { session: 'outer' }
  void engineOf([nests, looks]).run(outer, '', { scope })
  expect(seen).toEqual(['outer', 'own'])
})

/** Twenty points; the hook of each asks the next. */
function createChain(run: (context: Context, next: P) => void) {
  const points = Array.from({ length: 20 }, (_, n) => pointNamed(`chain.p${n}`))
  const depths: number[] = []
  const hooks = points.map((on, n) =>
    hook(`h${n}`, on, (_, context) => {
      depths.push(context.depth)
      run(context, points[n + 1] ?? on)
      return proceed
    }),
  )
  return { hooks, depths, first: points[0] as P }
}

test('F017 nesting deeper than 8 is the failure of the hook that asks', () => {
  const records = createMemoryRecords()
  const chain = createChain((context, next) => void context.dispatch(next, ''))
  void engineOf(chain.hooks, { records }).run(chain.first, '')
  expect(chain.depths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(records.all()[0]).toMatchObject({
    hook: 'h8',
    state: 'failed',
    decided: true,
    failure: { code: 'recursion' },
  })
})

test('F017 the depth is a setting of the engine', () => {
  const chain = createChain((context, next) => void context.dispatch(next, ''))
  void engineOf(chain.hooks, { maxDepth: 2 }).run(chain.first, '')
  expect(chain.depths).toEqual([0, 1, 2])
})

test('F017 an open hook that nests too deep goes on', () => {
  const records = createMemoryRecords()
  const nests = (name: string, on: P, next: P) =>
    hook(
      name,
      on,
      (_, context) => {
        void context.dispatch(next, '')
        return proceed
      },
      { onFailure: 'open' },
    )
  const hooks = [nests('a', outer, inner), nests('b', inner, outer)]
  const engine = engineOf(hooks, { maxDepth: 1, records })
  expect(engine.run(outer, '')).toMatchObject({ type: 'proceed' })
  expect(records.all()).toMatchObject([
    { hook: 'b', failure: { code: 'recursion' }, failedOpen: true },
    { hook: 'a', state: 'completed' },
  ])
})

test('F017 an asynchronous hook that nests too deep fails with recursion too', async () => {
  const records = createMemoryRecords()
  const nests = (name: string, on: P, next: P) =>
    hook(name, on, async (_, context) => {
      await Promise.resolve()
      await context.dispatch(next, '')
      return proceed
    })
  const hooks = [nests('a', outer, inner), nests('b', inner, outer)]
  await engineOf(hooks, { maxDepth: 1, records }).run(outer, '')
  expect(records.all()[0]).toMatchObject({
    hook: 'b',
    state: 'failed',
    failure: { code: 'recursion' },
  })
})

test('F017 one dispatch causes no more than a budget of others, however deep they are', () => {
  let asked = 0
  const burst = (on: P, next: P) =>
    hook(`burst-${on.name}`, on, (_, context) => {
      for (let n = 0; n < 4; n++) {
        asked++
        void context.dispatch(next, '')
      }
      return proceed
    })
  const engine = engineOf([burst(outer, inner), burst(inner, outer)], {
    maxNested: 6,
  })
  // The outer asks four times, and each time the inner asks four times more.
  const outcome = engine.run(outer, '')
  expect(outcome).toMatchObject({
    type: 'reject',
    failure: { code: 'recursion' },
  })
  expect(asked).toBeLessThanOrEqual(12)
  // The next dispatch has a budget of its own.
  const once = hook('once', outer, (_, context) => {
    void context.dispatch(inner, '')
    return proceed
  })
  engine.swap(compileTable([once]))
  expect(engine.run(outer, '')).toMatchObject({ type: 'proceed' })
})

test('a thousand dispatches from inside one are within the default budget, one more is not', () => {
  const count = (times: number) => {
    const nests = hook('nests', outer, (_, context) => {
      for (let n = 0; n < times; n++) void context.dispatch(inner, '')
      return proceed
    })
    return engineOf([nests]).run(outer, '')
  }
  expect(count(1_000)).toMatchObject({ type: 'proceed' })
  expect(count(1_001)).toMatchObject({ failure: { code: 'recursion' } })
})

test('a hook that asks after its run is over is told that it is cancelled', async () => {
  const contexts: Context[] = []
  const keeps = hook('keeps', outer, (_, context) => {
    contexts.push(context)
    return proceed
  })
  void engineOf([keeps]).run(outer, '')
  const askAgain = () => contexts[0]?.dispatch(inner, '')
  expect(askAgain).toThrow(HookError)
  expect(askAgain).toThrow(expect.objectContaining({ code: 'cancelled' }))
})

test('when an outer hook times out, what it asked ends with it', async () => {
  const clock = createFakeClock()
  const signals: AbortSignal[] = []
  const inside: string[] = []
  const nests = hook(
    'nests',
    outer,
    async (_, context) => {
      const asked = Promise.resolve(context.dispatch(inner, ''))
      await asked.catch(() => {})
      inside.push('ended')
      return proceed
    },
    { timeoutMs: 50 },
  )
  const hangs = hook('hangs', inner, (_, { signal }) => {
    signals.push(signal)
    return forever()
  })
  const given = engineOf([nests, hangs], { clock }).run(outer, '')
  await clock.advance(50)
  await expect(given).resolves.toMatchObject({ type: 'reject', by: 'nests' })
  await clock.settle()
  expect(inside).toEqual(['ended'])
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('what outlives the hook that asks goes on after its end, with its own time and within the depth', async () => {
  const clock = createFakeClock()
  const seen: string[] = []
  const asked: unknown[] = []
  let leave = () => {}
  const asks = hook('asks', outer, (_, parent) => {
    const ask = (input: string) =>
      asked.push(engine.run(inner, input, { parent, outlives: true }))
    ask('in time')
    leave = () => ask('late')
    return forever()
  })
  const told = hook('told', inner, async (input, { depth, remainingMs }) => {
    seen.push(`${input} ${depth} ${remainingMs}`)
    await new Promise<void>((resolve) => clock.after(150, resolve))
    return proceed
  })
  const limited = { timeoutMs: 100, onFailure: 'open' as const }
  const engine = engineOf([{ ...asks, ...limited }, told], { clock })
  const outcome = engine.run(outer, 'go')
  await clock.advance(100)
  expect(await outcome).toMatchObject({ type: 'proceed' })
  leave()
  await clock.advance(150)
  expect(await Promise.all(asked)).toMatchObject([
    { type: 'proceed' },
    { type: 'proceed' },
  ])
  expect(seen).toEqual(['in time 1 30000', 'late 1 30000'])
})

test('a hook cannot have what it asks outlive it', async () => {
  const clock = createFakeClock()
  let leave = (): unknown => undefined
  const asks = hook('asks', outer, (_, context) => {
    leave = () => context.dispatch(inner, 'late', { outlives: true })
    return forever()
  })
  const limited = { timeoutMs: 100, onFailure: 'open' as const }
  const outcome = engineOf([{ ...asks, ...limited }], { clock }).run(outer, '')
  await clock.advance(100)
  await outcome
  expect(leave).toThrow(expect.objectContaining({ code: 'cancelled' }))
})

test('when an outer hook is superseded, what it asked is cancelled and has not failed', async () => {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const side = definePoint('test.side', {
    input: type<string>(),
    flow: 'parallel',
    answers: ['reject'],
  })
  const ended: unknown[] = []
  const nests = defineHook({
    name: 'nests',
    on: side,
    async run(_, context) {
      const asked = Promise.resolve(context.dispatch(inner, ''))
      await asked.catch((error) => ended.push(error.code))
      return proceed
    },
  })
  const rejects = defineHook({
    name: 'rejects',
    on: side,
    run: async () => reject('No.'),
  })
  const hangs = hook('hangs', inner, forever)
  const engine = engineOf([nests, rejects, hangs], { clock, records })
  await engine.run(side, '')
  await clock.settle()
  expect(ended).toEqual(['cancelled'])
  const states = records.all().map((one) => [one.hook, one.state, one.note])
  expect(states).toEqual([
    ['rejects', 'completed', undefined],
    ['hangs', 'cancelled', 'caller-cancelled'],
    ['nests', 'cancelled', 'superseded'],
  ])
  expect(engine.counts().get('hangs')).toMatchObject({ failures: 0 })
})

test('when the caller gives up, what hooks asked from inside is cancelled as well', async () => {
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const nests = hook('nests', outer, async (_, context) => {
    await context.dispatch(inner, '')
    return proceed
  })
  const hangs = hook('hangs', inner, forever)
  const { signal, abort } = bound(new AbortController())
  const given = engineOf([nests, hangs], { clock, records }).run(outer, '', {
    signal,
  })
  abort()
  await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  const states = records.all().map(({ hook, state }) => [hook, state])
  expect(states).toEqual([
    ['hangs', 'cancelled'],
    ['nests', 'cancelled'],
  ])
})

function bound(controller: AbortController) {
  return { signal: controller.signal, abort: () => controller.abort() }
}

test('an inner hook has no more time than is left to the outer one', async () => {
  const clock = createFakeClock()
  const seen: number[] = []
  const nests = hook(
    'nests',
    outer,
    async (_, context) => {
      await clock.advance(30)
      await context.dispatch(inner, '', { deadlineMs: 5_000 })
      return proceed
    },
    { timeoutMs: 100 },
  )
  const looks = hook('looks', inner, (_, { remainingMs }) => {
    seen.push(remainingMs)
    return proceed
  })
  await engineOf([nests, looks], { clock }).run(outer, '')
  expect(seen).toEqual([70])
})

/** Knows the run across awaits, as a runtime on Node would. */
function createScope(): AsyncScope {
  const storage = new AsyncLocalStorage<unknown>()
  return {
    run: (run, callback) => storage.run(run, callback),
    current: () => storage.getStore(),
  }
}

test('an async scope finds the outer run without being told', async () => {
  const seen: unknown[] = []
  const asyncScope = createScope()
  const nests = hook('nests', outer, async () => {
    await Promise.resolve()
    // By the engine itself, as code deep inside a tool would.
    await engine.run(outer, '')
    await engine.run(inner, '')
    return proceed
  })
  const looks = hook('looks', inner, (_, { depth, scope }) => {
    seen.push([depth, scope.session])
    return proceed
  })
  const engine = engineOf([nests, looks], { asyncScope })
  await engine.run(outer, '', { scope: { session: 's-1' } })
  await engine.run(inner, '', { scope: { session: 's-2' } })
  expect(seen).toEqual([
    [1, 's-1'],
    [0, 's-2'],
  ])
})

test('F017 an async scope ends a circle that goes through the engine itself', async () => {
  const asyncScope = createScope()
  const chain = createChain((_, next) => void engine.run(next, ''))
  const engine = engineOf(chain.hooks, { asyncScope })
  await engine.run(chain.first, '')
  expect(chain.depths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('what a run leaves behind in its async scope is no child of the run', async () => {
  const depths: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const left: Promise<unknown>[] = []
  const leaves = hook('leaves', outer, () => {
    left.push(promise.then(() => engine.run(inner, '')))
    return proceed
  })
  const looks = hook('looks', inner, (_, { depth }) => {
    depths.push(depth)
    return proceed
  })
  const asyncScope = createScope()
  const engine = engineOf([leaves, looks], { asyncScope })
  void engine.run(outer, '')
  resolve()
  await Promise.all(left)
  expect(depths).toEqual([0])
})

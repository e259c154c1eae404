import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  defineHook,
  defineKind,
  definePoint,
  type Hook,
  proceed,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const fact = defineKind<unknown>()('fact', { unwaited: true })

const step = definePoint('test.step', {
  input: type<{ readonly args: { readonly list: readonly number[] } }>(),
  output: type<unknown>(),
  subject: 'args',
  answers: ['transform', 'replace', 'reject', 'respond', 'ask', 'endTurn'],
  contributes: [fact],
})

type Step = Hook<typeof step, 'blocking', true>

/** What a hostile answer might leave behind, in every shape we could think of. */
const hostile: readonly [string, (input: unknown) => unknown][] = [
  [
    'own-proto',
    () =>
      JSON.parse('{"type":"transform","value":{"__proto__":{"polluted":1}}}'),
  ],
  ['proto-type', () => JSON.parse('{"__proto__":{"type":"reject"}}')],
  [
    'constructor',
    () =>
      JSON.parse(
        '{"type":"transform","value":{"constructor":{"prototype":{"polluted":1}}}}',
      ),
  ],
  ['type-proto', () => ({ type: '__proto__', value: { polluted: 1 } })],
  ['type-constructor', () => ({ type: 'constructor' })],
  ['type-to-string', () => ({ type: { toString: () => 'proceed' } })],
  [
    'array-with-keys',
    () => ({ type: 'transform', value: Object.assign([1], { polluted: 1 }) }),
  ],
  ['array-prototype', () => ({ type: 'transform', value: Array.prototype })],
  ['global', () => ({ type: 'respond', output: globalThis })],
  ['process', () => ({ type: 'respond', output: process })],
  ['function', () => () => proceed],
  // biome-ignore lint/suspicious/noThenProperty: it is what is tested
  ['then', () => ({ then: 'not a function', type: 'proceed' })],
  [
    'throwing-then',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: it is what is tested
      get then(): never {
        throw new Error('Bites.')
      },
    }),
  ],
  [
    'proxy',
    () =>
      new Proxy(
        {},
        { get: () => 'proceed', getPrototypeOf: () => Object.prototype },
      ),
  ],
  [
    'revoked',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
  ],
  [
    'throws-null',
    () => {
      // oxlint-disable-next-line typescript/only-throw-error -- it is what is tested
      throw null
    },
  ],
  [
    'throws-error',
    () => {
      throw Object.assign(new Error('x'), { stack: null })
    },
  ],
  ['late', () => new Promise(() => {})],
  ['rejects', () => Promise.reject(new Error('Broken.'))],
  [
    'writes-input',
    (input) => {
      Object(input).args = {}
      return proceed
    },
  ],
  [
    'defines-input',
    (input) => {
      Object.defineProperty(input, 'args', { value: 1 })
      return proceed
    },
  ],
  [
    'sets-proto',
    (input) => {
      Object.setPrototypeOf(input, { polluted: 1 })
      return proceed
    },
  ],
]

const signals = [
  'uncaughtException',
  'unhandledRejection',
  'exit',
  'SIGINT',
  'SIGTERM',
  'warning',
  'beforeExit',
]

/** Everything that a run could change around itself. */
function surroundings() {
  const shapes = [
    Object,
    Array,
    Function,
    Promise,
    Map,
    Set,
    String,
    Error,
  ].map(({ name, prototype }) => {
    const keys = Reflect.ownKeys(prototype).map(String)
    const isOpen = Object.isExtensible(prototype)
    return { name, keys, isOpen, parent: Object.getPrototypeOf(prototype) }
  })
  return {
    shapes,
    intrinsics: [
      Reflect.get(Promise.prototype, 'then'),
      Reflect.get(Array.prototype, 'push'),
      Reflect.get(Object, 'freeze'),
    ],
    globals: Reflect.ownKeys(globalThis).map(String),
    isGlobalOpen: Object.isExtensible(globalThis),
    environment: { ...process.env },
    listeners: signals.map((signal) => process.listenerCount(signal)),
    directory: process.cwd(),
  }
}

function hostileHooks(mode: 'enforce' | 'evaluate') {
  return hostile.map(([name, run]) =>
    defineHook({
      name,
      on: step,
      writes: true,
      mode,
      onFailure: 'open',
      capabilities: ['fact'],
      run: (input, context) => {
        context.contribute(fact({ name }))
        context.diagnose('__proto__', 'constructor')
        return run(input) as ReturnType<Step['run']>
      },
    }),
  )
}

test.each(['enforce', 'evaluate'] as const)(
  'I8 T35 after hostile hooks have run, to %s, the built-ins, the globals, the environment and the listeners are what they were',
  async (mode) => {
    const clock = createFakeClock()
    const watch = hostile.map(([name, run]) =>
      defineHook({
        name: `watch-${name}`,
        on: step,
        execution: 'record',
        run: (input) => run(input) as undefined,
      }),
    )
    const table = compileTable([...hostileHooks(mode), ...watch])
    const engine = createEngine(table, { clock })
    engine.observe(() => {})
    const before = surroundings()
    for (const args of [{ list: [1] }, { list: [] }]) {
      const given = Promise.resolve(engine.run(step, { args }))
      await clock.advance(60_000)
      await given
      await clock.advance(60_000)
    }
    expect(surroundings()).toEqual(before)
    expect(Object(Object.create(Object.prototype)).polluted).toBeUndefined()
    expect(Object([]).polluted).toBeUndefined()
  },
)

test('T35 hooks that fail in every way leave the others to decide', async () => {
  const clock = createFakeClock()
  const last = defineHook({
    name: 'zz-last',
    on: step,
    run: ({ args }) => ({ type: 'reject', reason: JSON.stringify(args) }),
  })
  // This one is plain data with an odd name, and counts.
  const others = hostileHooks('enforce').filter(
    ({ name }) => name !== 'constructor',
  )
  const engine = createEngine(compileTable([...others, last]), { clock })
  const given = engine.run(step, { args: { list: [1] } })
  await clock.advance(60_000)
  await expect(given).resolves.toMatchObject({
    type: 'reject',
    by: 'zz-last',
    reason: '{"list":[1]}',
    writers: [],
    // Whatever else it is, this one has the type of a proceed.
    contributions: { all: [{ by: 'then' }] },
  })
})

test('T35 the engine listens to nothing of its process, and keeps no listener on a signal', async () => {
  const clock = createFakeClock()
  const before = signals.map((signal) => process.listenerCount(signal))
  const kept = new Set<unknown>()
  const { signal } = new AbortController()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (type: string, listener: never) => {
    kept.add(listener)
    add(type, listener)
  }
  signal.removeEventListener = (type: string, listener: never) => {
    kept.delete(listener)
    remove(type, listener)
  }
  const slow = defineHook({ name: 'slow', on: step, run: async () => proceed })
  const engine = createEngine(compileTable([slow]), { clock })
  const given = engine.run(step, { args: { list: [] } }, { signal })
  expect(kept.size).toBe(1)
  await given
  expect(kept.size).toBe(0)
  expect(signals.map((one) => process.listenerCount(one))).toEqual(before)
})

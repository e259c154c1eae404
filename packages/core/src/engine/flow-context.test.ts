import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryState,
  defineCell,
  defineHook,
  definePoint,
  type EngineEvent,
  type EngineOptions,
  type HookContext,
  proceed,
  type RunOptions,
  type ShapeOf,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

interface Scope {
  readonly session: string
}

const step = definePoint('test.step', {
  input: type<string>(),
  scope: type<Scope>(),
  answers: ['reject'],
})

type Context = HookContext<ShapeOf<typeof step>>

/** Shows a hook's context to `look`, and gives the outcome and the events. */
function look(
  inspect: (context: Context) => void,
  options: RunOptions<typeof step> = {},
  ports: EngineOptions = {},
) {
  const events: EngineEvent[] = []
  const hook = defineHook({
    name: 'looks',
    on: step,
    run(_, context) {
      inspect(context)
      return proceed
    },
  })
  const engine = createEngine(compileTable([hook]), {
    nextId: () => 'dispatch-1',
    ...ports,
  })
  engine.observe((event) => events.push(event))
  const outcome = engine.run(step, 'input', options)
  if (outcome instanceof Promise) throw new Error('It took time.')
  return { engine, events, outcome, record: outcome.records[0] }
}

test('a context names its run, its hook and its point, and is not nested', () => {
  const seen: unknown[] = []
  look(({ run, hook, point, depth }) => seen.push({ run, hook, point, depth }))
  expect(seen).toEqual([
    {
      run: 'dispatch-1/looks',
      hook: 'looks',
      point: 'test.step',
      depth: 0,
    },
  ])
})

test('the run of a context is found in its record', () => {
  const { record } = look(() => {})
  expect(`${record?.dispatch}/${record?.hook}`).toBe('dispatch-1/looks')
})

test('a context has the scope that the caller gave', () => {
  const seen: unknown[] = []
  look(({ scope }) => seen.push(scope.session), { scope: { session: 's-1' } })
  expect(seen).toEqual(['s-1'])
})

test('without a scope a context has an empty one that cannot be written to', () => {
  const seen: object[] = []
  look(({ scope }) => seen.push(scope))
  expect(seen).toEqual([{}])
  expect(Object.isFrozen(seen[0])).toBe(true)
})

test('a context says how much time is left to answer', async () => {
  const clock = createFakeClock()
  const seen: number[] = []
  const hook = defineHook({
    name: 'looks',
    on: step,
    execution: { deadlineMs: 100 },
    async run(_, context) {
      seen.push(context.remainingMs)
      await clock.advance(60)
      seen.push(context.remainingMs)
      return proceed
    },
  })
  await createEngine(compileTable([hook]), { clock }).run(step, 'input')
  expect(seen).toEqual([100, 40])
})

test('a signal is aborted neither while its hook runs nor because it has answered', () => {
  const contexts: Context[] = []
  const seen: boolean[] = []
  look((context) => {
    contexts.push(context)
    seen.push(context.signal.aborted)
  })
  seen.push(...contexts.map(({ signal }) => signal.aborted))
  expect(seen).toEqual([false, false])
})

const visits = defineCell('visits', { initial: () => 0 })
const bySession = defineCell('by-session', {
  initial: () => 0,
  scope: 'session',
})

test('hooks share the state that the caller brought', () => {
  const state = createMemoryState()
  const visit = (session: string) => {
    const seen: unknown[] = []
    look(
      (context) => {
        seen.push(context.state.update(bySession, (n) => n + 1))
        seen.push(context.state.get(bySession))
      },
      { state: state.at({ session }) },
    )
    return seen
  }
  expect(visit('one')).toEqual([1, 1])
  expect(visit('one')).toEqual([2, 2])
  expect(visit('two')).toEqual([1, 1])
})

test('without a state of its own a dispatch has the global one of its engine', () => {
  const seen: unknown[] = []
  const hook = defineHook({
    name: 'counts',
    on: step,
    run(_, { state }) {
      seen.push(state.update(visits, (n) => n + 1))
      return proceed
    },
  })
  const table = compileTable([hook])
  const engine = createEngine(table)
  void engine.run(step, 'input')
  void engine.run(step, 'input')
  void createEngine(table).run(step, 'input')
  expect(seen).toEqual([1, 2, 1])
})

test('a cell of a scope that the dispatch does not have fails the hook', () => {
  const { outcome } = look(({ state }) => void state.get(bySession))
  expect(outcome).toMatchObject({ type: 'reject', by: 'looks' })
})

test('what a hook emits reaches the listeners, named for hook and dispatch', () => {
  const { events } = look((context) => context.emit({ progress: 0.5 }))
  expect(events.filter(({ type }) => type === 'hook-event')).toEqual([
    {
      type: 'hook-event',
      dispatch: 'dispatch-1',
      hook: 'looks',
      event: { progress: 0.5 },
    },
  ])
})

test('a diagnostic is in the record, for operators unless it says so', () => {
  const { record } = look((context) => {
    context.diagnose('slow', 'The index is cold.')
    context.diagnose('hint', 'Try again.', { safeForUser: true })
  })
  expect(record?.diagnostics).toEqual([
    { code: 'slow', message: 'The index is cold.', safeForUser: false },
    { code: 'hint', message: 'Try again.', safeForUser: true },
  ])
})

test('a run has at most 16 diagnostics; the first ones stay', () => {
  const { record } = look((context) => {
    for (let n = 0; n < 40; n++) context.diagnose(`code-${n}`, 'Again.')
  })
  expect(record?.diagnostics).toHaveLength(16)
  expect(record?.diagnostics.at(-1)?.code).toBe('code-15')
})

test('a diagnostic is cut after 512 characters, and says so', () => {
  const { record } = look((context) =>
    context.diagnose('c'.repeat(600), 'm'.repeat(100_000)),
  )
  expect(record?.diagnostics).toEqual([
    {
      code: `${'c'.repeat(512)}…`,
      message: `${'m'.repeat(512)}…`,
      safeForUser: false,
    },
  ])
  const exact = look((context) => context.diagnose('c', 'm'.repeat(512)))
  expect(exact.record?.diagnostics[0]?.message).toBe('m'.repeat(512))
})

test('a diagnostic has no control characters, direction marks or half surrogates', () => {
  const { record } = look((context) =>
    context.diagnose('co\u0000de', ' \u001b[31mred\u202e\u2066 \ud800 \u007f'),
  )
  expect(record?.diagnostics).toMatchObject([
    { code: 'code', message: '[31mred \ufffd' },
  ])
})

test('what a hook diagnoses after its end is not recorded', () => {
  const contexts: Context[] = []
  const { record } = look((context) => {
    contexts.push(context)
    context.diagnose('one', 'In time.')
  })
  contexts[0]?.diagnose('two', 'Too late.')
  expect(record?.diagnostics).toHaveLength(1)
})

test('the diagnostics of a hook that fails are recorded with its failure', () => {
  const { record } = look((context) => {
    context.diagnose('about', 'The file is gone.')
    throw new Error('Broken.')
  })
  expect(record).toMatchObject({
    state: 'failed',
    diagnostics: [{ code: 'about', message: 'The file is gone.' }],
  })
})

import { expect, test } from 'vitest'
import {
  ask,
  compileTable,
  createEngine,
  type Decision,
  defineHook,
  definePoint,
  endTurn,
  type Hook,
  keepGoing,
  proceed,
  reject,
  replace,
  respond,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const step = definePoint('test.step', {
  input: type<{ readonly n: number }>(),
  output: type<{ readonly n: number }>(),
  answers: [
    'transform',
    'replace',
    'reject',
    'respond',
    'ask',
    'endTurn',
    'keepGoing',
  ],
})

type Decide = Hook<typeof step, 'blocking', true>

/** What an observer is told when a hook has done its part. */
async function told(run: Decide['run'], more: Partial<Decide> = {}) {
  const clock = createFakeClock()
  const seen: { decision: Decision; n: number }[] = []
  const controller = new AbortController()
  const table = compileTable([
    defineHook({ name: 'decides', on: step, writes: true, run, ...more }),
    defineHook({
      name: 'watches',
      on: step,
      execution: 'record',
      run: ({ n }, { decision }) => void seen.push({ decision, n }),
    }),
  ])
  const engine = createEngine(table, { clock })
  const events: unknown[] = []
  engine.observe((event) => {
    if (event.type === 'dispatch-end') events.push(event.decision)
  })
  const given = (async () => {
    await engine.run(step, { n: 1 }, { signal: controller.signal })
  })()
  given.catch(() => {})
  await clock.settle()
  controller.abort()
  await clock.advance(0)
  expect(events).toEqual(seen.map(({ decision }) => decision))
  expect(seen).toHaveLength(1)
  return seen[0]
}

const throws = () => {
  throw new Error('Broken.')
}

test('an observer is told of a proceed, which nobody decided', async () => {
  const seen = await told(() => proceed)
  expect(seen).toEqual({ decision: { type: 'proceed' }, n: 1 })
})

test('a transform is a proceed, which nobody decided', async () => {
  const seen = await told(() => transform({ n: 2 }))
  expect(seen).toEqual({ decision: { type: 'proceed' }, n: 2 })
})

test.each<[string, Decide['run'], Partial<Decision>]>([
  ['reject', () => reject('No.'), { type: 'reject', reason: 'No.' }],
  ['ask', () => ask('Really?'), { type: 'ask', reason: 'Really?' }],
  ['endTurn', () => endTurn('Enough.'), { type: 'endTurn', reason: 'Enough.' }],
  [
    'keepGoing',
    () => keepGoing('Test it.'),
    { type: 'keepGoing', reason: 'Test it.' },
  ],
  ['respond', () => respond({ n: 3 }), { type: 'respond' }],
])('an observer is told of a %s, by whom and why', async (_, run, decision) => {
  const seen = await told(run)
  expect(seen).toEqual({ decision: { by: 'decides', ...decision }, n: 1 })
})

test('an observer is told of a replace, by whom, and gets the value', async () => {
  const seen = await told(() => replace({ n: 5 }))
  expect(seen).toEqual({ decision: { type: 'replace', by: 'decides' }, n: 5 })
})

test('an observer is told of a reject by a closed hook that failed', async () => {
  const seen = await told(throws)
  expect(seen?.decision).toEqual({
    type: 'reject',
    by: 'decides',
    reason: 'hook_error:threw',
  })
})

test('an observer is told of a proceed after an open hook that failed', async () => {
  const seen = await told(throws, { onFailure: 'open' })
  expect(seen?.decision).toEqual({ type: 'proceed' })
})

test('an observer is told of an error to the caller, and of the hook that is required', async () => {
  const seen = await told(throws, { onFailure: 'required' })
  expect(seen?.decision).toEqual({
    type: 'error',
    by: 'decides',
    reason: 'required-failed',
  })
})

test('an observer is told when the caller gave up, which no hook decided', async () => {
  const seen = await told(() => Promise.withResolvers<never>().promise)
  expect(seen?.decision).toMatchObject({
    type: 'cancelled',
    reason: 'cancelled',
  })
  expect(seen?.decision.by).toBeUndefined()
})

test('what a hook in evaluate mode answers is no decision', async () => {
  const seen = await told(() => reject('No.'), { mode: 'evaluate' })
  expect(seen).toEqual({ decision: { type: 'proceed' }, n: 1 })
})

import { expect, test } from 'vitest'
import {
  ask,
  compileTable,
  createEngine,
  defineHook,
  defineKind,
  definePoint,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

const fact = defineKind<string>()('fact')

const step = definePoint('test.step', {
  input: type<string>(),
  output: type<string>(),
  answers: ['transform', 'replace', 'reject', 'respond', 'ask', 'endTurn'],
  contributes: [fact],
})

const side = definePoint('test.side', {
  input: type<string>(),
  flow: 'parallel',
  answers: ['reject', 'ask'],
})

type Step = Hook<typeof step, 'blocking', true>

const hook = (name: string, run: Step['run'], more: Partial<Step> = {}) =>
  defineHook({ name, on: step, writes: true, run, ...more })

const throws: Step['run'] = () => {
  throw new Error('Broken.')
}

/** Both ways to evaluate: one hook, or a whole table. */
function evaluate(run: Step['run'], more: Partial<Step> = {}) {
  const alone = [
    hook('judged', run, { ...more, mode: 'evaluate' }),
    hook('next', () => proceed),
  ]
  const whole = [hook('judged', run, more), hook('next', () => proceed)]
  const tables = [
    compileTable(alone),
    compileTable(whole, { mode: 'evaluate' }),
  ]
  return tables.map((table) => {
    const outcome = createEngine(table).run(step, 'input')
    if (outcome instanceof Promise) throw new Error('It took time.')
    return outcome
  })
}

const untouched = { type: 'proceed', value: 'input', writers: [] }

test.each<[string, Step['run']]>([
  ['proceed', () => proceed],
  ['transform', () => transform('other')],
  ['replace', () => replace('other')],
  ['reject', () => reject('No.')],
  ['respond', () => respond('done')],
  ['ask', () => ask('Really?')],
  ['endTurn', () => ({ type: 'endTurn', reason: 'Enough.' })],
])('in evaluate mode a %s is recorded and changes nothing', (answer, run) => {
  for (const outcome of evaluate(run)) {
    expect(outcome).toMatchObject(untouched)
    expect(outcome).not.toHaveProperty('questions')
    expect(outcome.records).toMatchObject([
      {
        hook: 'judged',
        mode: 'evaluate',
        state: 'completed',
        answer,
        decided: false,
      },
      { hook: 'next', state: 'completed' },
    ])
  }
})

test.each<[string, NonNullable<Step['onFailure']>]>([
  ['closed', 'closed'],
  ['open', 'open'],
  ['required', 'required'],
  ['fallback', { fallback: { value: 'spare' } }],
])(
  'in evaluate mode the failure of a %s hook is recorded and changes nothing',
  (_, onFailure) => {
    for (const outcome of evaluate(throws, { onFailure })) {
      expect(outcome).toMatchObject(untouched)
      expect(outcome.records[0]).toMatchObject({
        state: 'failed',
        failure: { code: 'threw' },
        policy: undefined,
        failedOpen: false,
        decided: false,
      })
    }
  },
)

test.each<[string, unknown, string]>([
  ['no answer', undefined, 'invalid-answer'],
  ['an unknown answer', { type: 'allow' }, 'invalid-answer'],
  [
    'an answer that the point does not have',
    { type: 'keepGoing', feedback: 'Go on.' },
    'answer-not-allowed',
  ],
  ['a value that is no data', transform(new Map()), 'not-data'],
])('in evaluate mode %s is recorded as failed', (_, given, code) => {
  for (const outcome of evaluate(() => given as never)) {
    expect(outcome).toMatchObject(untouched)
    expect(outcome.records[0]).toMatchObject({
      state: 'failed',
      answer: undefined,
      failure: { code },
    })
  }
})

test('in evaluate mode a transform without declared writes is recorded as failed', () => {
  const run = () => transform('other') as never
  const judged = defineHook({ name: 'judged', on: step, mode: 'evaluate', run })
  expect(createEngine(compileTable([judged])).run(step, 'input')).toMatchObject(
    {
      ...untouched,
      records: [{ failure: { code: 'answer-not-allowed' } }],
    },
  )
})

test('in evaluate mode a hook whose time is up is recorded and changes nothing', async () => {
  const clock = createFakeClock()
  const hangs = hook('hangs', () => Promise.withResolvers<never>().promise, {
    mode: 'evaluate',
    onFailure: 'required',
    timeoutMs: 10,
  })
  const engine = createEngine(compileTable([hangs]), { clock })
  const given = engine.run(step, 'input')
  await clock.advance(10)
  await expect(given).resolves.toMatchObject({
    ...untouched,
    records: [{ state: 'timed_out', policy: undefined }],
  })
})

test('a table that evaluates overrules hooks that enforce', () => {
  const enforcing = hook('a', () => reject('No.'), { mode: 'enforce' })
  const table = compileTable([enforcing], { mode: 'evaluate' })
  expect(table.hooks).toMatchObject([{ name: 'a', mode: 'evaluate' }])
  expect(createEngine(table).run(step, 'input')).toMatchObject(untouched)
})

test('a table that enforces leaves a hook that evaluates as it is', () => {
  const evaluating = hook('a', () => reject('No.'), { mode: 'evaluate' })
  const table = compileTable([evaluating], { mode: 'enforce' })
  expect(createEngine(table).run(step, 'input')).toMatchObject(untouched)
})

test('a reject in evaluate mode does not end a batch', async () => {
  const seen: string[] = []
  const first = defineHook({
    name: 'first',
    on: side,
    mode: 'evaluate',
    run: () => reject('No.'),
  })
  const second = defineHook({
    name: 'second',
    on: side,
    async run(_, { signal }) {
      await Promise.resolve()
      seen.push(signal.aborted ? 'aborted' : 'undisturbed')
      return proceed
    },
  })
  const outcome = createEngine(compileTable([first, second])).run(side, '')
  await expect(outcome).resolves.toMatchObject({
    type: 'proceed',
    records: [{ answer: 'reject' }, { answer: 'proceed' }],
  })
  expect(seen).toEqual(['undisturbed'])
})

test('the next hook does not see what a hook in evaluate mode contributed', () => {
  const seen: number[] = []
  const judged = hook(
    'a',
    (_, context) => {
      context.contribute(fact('one'))
      return proceed
    },
    { capabilities: ['fact'], mode: 'evaluate' },
  )
  const next = hook('b', (_, { contributions }) => {
    seen.push(contributions.all.length)
    return proceed
  })
  void createEngine(compileTable([judged, next])).run(step, 'input')
  expect(seen).toEqual([0])
})

test('in evaluate mode failures are counted, but not as gone on with', () => {
  const judged = hook('a', throws, { mode: 'evaluate', onFailure: 'open' })
  const engine = createEngine(compileTable([judged]))
  void engine.run(step, 'input')
  expect(engine.counts().get('a')).toMatchObject({ failures: 1, failedOpen: 0 })
})

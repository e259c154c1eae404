import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  type Hook,
  type Job,
  proceed,
  reject,
  transform,
  type,
} from '../index.ts'
import { createFakeClock } from '../testing/index.ts'

interface Letter {
  readonly to: string
  readonly text: string
}

const letter: Letter = { to: 'Ada', text: 'secret' }

const pointWith = (conceal?: (input: Letter) => Letter) =>
  definePoint('test.send', {
    input: type<Letter>(),
    subject: 'text',
    answers: ['transform', 'reject'],
    fields: { text: ({ text }) => text },
    ...(conceal && { conceal }),
  })

const send = pointWith((input) => ({ ...input, text: '' }))

type Decide = Hook<typeof send, 'blocking', true>
type Watch = Hook<typeof send, 'record', false>

const decider = (
  run: Decide['run'],
  more: Partial<Decide> = {},
  name = 'decides',
) => defineHook({ name, on: send, writes: true, run, ...more })

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const broken = () => {
  throw new Error('Broken.')
}

/** Sends a letter, and says what whoever watches came to see of it. */
async function watch(
  deciders: readonly Hook[],
  on = send,
  more: Partial<Watch> = {},
) {
  const seen: unknown[] = []
  const jobs: Job[] = []
  const alarms: string[] = []
  const clock = createFakeClock()
  const records = createMemoryRecords()
  const run = (input: unknown) => void seen.push(input)
  const watches = { name: 'watches', on, execution: 'record', run, ...more }
  const works = { name: 'works', on, execution: 'background', run }
  const hooks = deciders.map((hook) => ({ ...hook, on }))
  const table = compileTable([...hooks, watches as Hook, works as Hook])
  const engine = createEngine(table, {
    clock,
    records,
    enqueue: (job) => void jobs.push(job),
  })
  engine.observe((event) => {
    if (event.type === 'alarm') alarms.push(`${event.code} ${event.about}`)
  })
  const outcome = await engine.run(on, letter)
  await clock.advance(0)
  await engine.drain()
  return { outcome, seen, jobs, alarms, records, engine }
}

test('observers see of a rejected input what its point does not conceal', async () => {
  const { seen, jobs, outcome } = await watch([decider(() => reject('No.'))])
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
  expect(jobs).toMatchObject([{ input: { to: 'Ada', text: '' } }])
  expect(outcome).toMatchObject({ type: 'reject', value: letter })
})

test('what observers see of a rejected input is frozen', async () => {
  const { seen } = await watch([decider(() => reject('No.'))])
  expect(seen.map((value) => Object.isFrozen(value))).toEqual([true])
})

test('an input that failed closed is concealed as a rejected one is', async () => {
  const { seen, jobs } = await watch([decider(broken)])
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
  expect(jobs).toMatchObject([{ input: { text: '' } }])
})

test('an input that a required hook could not judge is concealed', async () => {
  const seen: unknown[] = []
  const run = (input: unknown) => void seen.push(input)
  const watches = { name: 'watches', on: send, execution: 'record', run }
  const judge = decider(broken, { onFailure: 'required' })
  const clock = createFakeClock()
  const table = compileTable([judge, watches as Hook])
  const engine = createEngine(table, { clock })
  expect(() => engine.run(send, letter)).toThrow('is required')
  await clock.advance(0)
  await engine.drain()
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
})

test('an input whose caller gave up is concealed', async () => {
  const seen: unknown[] = []
  const run = (input: unknown) => void seen.push(input)
  const watches = { name: 'watches', on: send, execution: 'record', run }
  const judge = decider(() => new Promise(() => {}))
  const clock = createFakeClock()
  const table = compileTable([judge, watches as Hook])
  const engine = createEngine(table, { clock })
  const { signal, abort } = abortable()
  const outcome = engine.run(send, letter, { signal })
  abort()
  await expect(outcome).rejects.toMatchObject({ code: 'cancelled' })
  await clock.advance(0)
  await engine.drain()
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
})

test('an input that was changed and then rejected is concealed as it was changed', async () => {
  const concealed: Letter[] = []
  const on = pointWith((input) => {
    concealed.push(input)
    return { ...input, text: '' }
  })
  const { seen } = await watch(
    [
      decider(() => transform('changed'), {}, 'a-changes'),
      decider(() => reject('No.'), {}, 'b-rejects'),
    ],
    on,
  )
  expect(concealed).toEqual([{ to: 'Ada', text: 'changed' }])
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
})

test.each<[string, Decide, string]>([
  ['went on', decider(() => proceed), 'secret'],
  ['was changed', decider(() => transform('changed')), 'changed'],
  ['failed open', decider(broken, { onFailure: 'open' }), 'secret'],
  [
    'was only judged on trial',
    decider(() => reject('No.'), { mode: 'evaluate' }),
    'secret',
  ],
])('observers see the whole of an input that %s', async (_, hook, text) => {
  const { seen, jobs } = await watch([hook])
  expect(seen).toEqual([{ to: 'Ada', text }])
  expect(jobs).toMatchObject([{ input: { to: 'Ada', text } }])
})

test('observers see the whole of a rejected input where its point conceals nothing', async () => {
  const hooks = [decider(() => reject('No.'))]
  expect((await watch(hooks, pointWith())).seen).toEqual([letter])
})

test('an observer is matched by what it may see', async () => {
  const hooks = [decider(() => reject('No.'))]
  const bySecret = await watch(hooks, send, { match: { text: 'secret' } })
  expect(bySecret.seen).toEqual([])
  const byNothing = await watch(hooks, send, { match: { text: '' } })
  expect(byNothing.seen).toHaveLength(1)
})

test('a job in this process gets the concealed input', async () => {
  const seen: unknown[] = []
  const works = defineHook({
    name: 'works',
    on: send,
    execution: 'background',
    run: (input) => void seen.push(input),
  })
  const hooks = [decider(() => reject('No.')), works]
  const engine = createEngine(compileTable(hooks))
  await engine.run(send, letter)
  await engine.drain()
  expect(seen).toEqual([{ to: 'Ada', text: '' }])
})

test.each<[string, Decide['run']]>([
  ['at once', () => reject('No.')],
  ['later', async () => reject('No.')],
])(
  'a conceal that throws after an answer %s is alarmed, and observers are told nothing of the input',
  async (_, run) => {
    const hooks = [decider(run)]
    const { outcome, seen, jobs, alarms } = await watch(
      hooks,
      pointWith(broken),
    )
    expect(outcome).toMatchObject({ type: 'reject', by: 'decides' })
    expect(alarms).toEqual(['port-threw conceal'])
    expect(seen).toEqual([undefined])
    expect(jobs).toMatchObject([{ input: undefined, hook: 'works' }])
  },
)

test('after a conceal that threw, the next dispatch is as any other', async () => {
  const on = pointWith(broken)
  const { engine, records } = await watch([decider(() => reject('No.'))], on)
  expect(await engine.run(on, letter)).toMatchObject({ type: 'reject' })
  const states = records.all().map(({ hook, state }) => `${hook} ${state}`)
  expect(states).toEqual([
    'decides completed',
    'watches completed',
    'works backgrounded',
    'decides completed',
  ])
})

test('a conceal is not asked about what was not rejected', async () => {
  const { alarms, seen } = await watch(
    [decider(() => proceed)],
    pointWith(broken),
  )
  expect(alarms).toEqual([])
  expect(seen).toEqual([letter])
})

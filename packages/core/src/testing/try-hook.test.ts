import { expect, test } from 'vitest'
import {
  ask,
  defineHook,
  defineKind,
  definePoint,
  endTurn,
  type Hook,
  HookError,
  keepGoing,
  proceed,
  reject,
  replace,
  respond,
  transform,
  type,
} from '../index.ts'
import { createFakeClock, scriptedHook, tryHook } from './index.ts'

const fact = defineKind<{ id: string; text: string }>()('fact', {
  unwaited: true,
})

const step = definePoint('test.step', {
  input: type<{ readonly id: string; readonly args: { readonly n: number } }>(),
  output: type<string>(),
  subject: 'args',
  answers: [
    'transform',
    'replace',
    'reject',
    'respond',
    'ask',
    'endTurn',
    'keepGoing',
  ],
  contributes: [fact],
})

type Step = Hook<typeof step, 'blocking', true>

const hook = (run: Step['run'], more: Partial<Step> = {}) =>
  defineHook({ name: 'tried', on: step, writes: true, run, ...more })

const input = { id: 'call-1', args: { n: 1 } }

const trial = (run: Step['run'], more: Partial<Step> = {}) =>
  tryHook(hook(run, more), input)

/** What an assertion says that does not hold. */
function complaint(assertion: () => unknown): string {
  try {
    assertion()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'It holds.'
}

test('the assertions about answers hold for what the hook answered', async () => {
  ;(await trial(() => proceed)).proceeds()
  ;(await trial(() => transform({ n: 2 }))).transforms().transforms({ n: 2 })
  ;(await trial(() => replace({ n: 2 }))).replaces().replaces({ n: 2 })
  ;(await trial(() => reject('No, never.')))
    .rejects()
    .rejects('No, never.')
    .rejects(/never/)
  ;(await trial(() => ask('Really?'))).asks().asks('Really?').asks(/^Real/)
  ;(await trial(() => respond('done'))).responds().responds('done')
  ;(await trial(() => endTurn('Enough.'))).endsTurn().endsTurn('Enough.')
  ;(await trial(() => keepGoing('Go on.'))).keepsGoing().keepsGoing(/Go/)
})

test('the assertions about answers do not hold for another answer, and say which it was', async () => {
  const proceeded = await trial(() => proceed)
  const wanted = 'Hook "tried" was expected to'
  expect(complaint(() => proceeded.rejects())).toBe(
    `${wanted} reject, but it answered "proceed".`,
  )
  expect(complaint(() => proceeded.transforms())).toBe(
    `${wanted} transform, but it answered "proceed".`,
  )
  const rejected = await trial(() => reject('No.'))
  expect(complaint(() => rejected.proceeds())).toBe(
    `${wanted} proceed, but it answered "reject".`,
  )
  expect(complaint(() => rejected.rejects('Other.'))).toBe(
    `${wanted} say Other., but it said "No.".`,
  )
  expect(complaint(() => rejected.rejects(/other/i))).toBe(
    `${wanted} say /other/i, but it said "No.".`,
  )
})

test('a hook that left another subject than expected is told with what it left', async () => {
  const changed = await trial(() => transform({ n: 2 }))
  changed.leaves({ n: 2 })
  expect(complaint(() => changed.transforms({ n: 3 }))).toBe(
    'Hook "tried" was expected to leave {"n":3}, but it left {"n":2}.',
  )
})

test('where a point has no subject, what a hook leaves is all of its input', async () => {
  const text = definePoint('test.text', {
    input: type<string>(),
    answers: ['transform'],
  })
  const shout = defineHook({
    name: 'shout',
    on: text,
    writes: true,
    run: (given) => transform(given.toUpperCase()),
  })
  const tried = await tryHook(shout, 'hey')
  tried.transforms('HEY')
  expect(complaint(() => tried.leaves('hey'))).toBe(
    'Hook "shout" was expected to leave "hey", but it left "HEY".',
  )
})

test('a failure is asserted by its code, and told with it', async () => {
  const failed = await trial(() => {
    throw new Error('Broken.')
  })
  failed.fails('threw')
  expect(complaint(() => failed.proceeds())).toBe(
    'Hook "tried" was expected to proceed, but it failed (threw): Error: Broken.',
  )
  expect(complaint(() => failed.fails('timed-out'))).toBe(
    'Hook "tried" was expected to fail (timed-out), but it failed (threw): Error: Broken.',
  )
  const proceeded = await trial(() => proceed)
  expect(complaint(() => proceeded.fails('threw'))).toBe(
    'Hook "tried" was expected to fail (threw), but it answered "proceed".',
  )
})

test('a closed hook that failed did not reject', async () => {
  const failed = await trial(() => undefined as never)
  expect(failed.outcome).toMatchObject({ type: 'reject' })
  expect(complaint(() => failed.rejects())).toBe(
    'Hook "tried" was expected to reject, but it failed (invalid-answer): Hook "tried" gave an answer that is undefined; return one on every path.',
  )
  failed.fails('invalid-answer').denies()
})

test('a miss is asserted, and told', async () => {
  const missed = await trial(() => proceed, { match: () => false })
  missed.misses()
  expect(complaint(() => missed.proceeds())).toBe(
    'Hook "tried" was expected to proceed, but its matcher did not want this input.',
  )
  const proceeded = await trial(() => proceed)
  expect(complaint(() => proceeded.misses())).toBe(
    'Hook "tried" was expected to miss, but it answered "proceed".',
  )
})

test('contributions are asserted by kind and by some of their parts', async () => {
  const tried = await trial(
    (_, context) => {
      context.contribute(fact({ id: 'one', text: 'First.' }))
      context.contribute(fact({ id: 'two', text: 'Second.' }))
      return proceed
    },
    { capabilities: ['fact'] },
  )
  tried
    .contributes(fact)
    .contributes(fact, { id: 'two' })
    .contributes(fact, { id: 'one', text: 'First.' })
  expect(
    complaint(() => tried.contributes(fact, { id: 'one', text: 'Second.' })),
  ).toMatch(
    /^Hook "tried" was expected to contribute a fact with \{"id":"one","text":"Second\."\}, but it contributed \[/,
  )
  const none = await trial(() => proceed)
  expect(complaint(() => none.contributes(fact))).toBe(
    'Hook "tried" was expected to contribute a fact with {}, but it contributed [].',
  )
})

test('what an observer contributes is asserted as well', async () => {
  const watches = defineHook({
    name: 'watches',
    on: step,
    execution: 'record',
    capabilities: ['fact'],
    run: (_, context) => context.contribute(fact({ id: 'one', text: 'Seen.' })),
  })
  const tried = await tryHook(watches, input)
  tried.contributes(fact, { text: 'Seen.' })
  expect(tried.record).toMatchObject({ state: 'completed' })
})

test('a background hook is tried to its own end', async () => {
  const works = defineHook({
    name: 'works',
    on: step,
    execution: 'background',
    run: () => {
      throw new Error('Broken.')
    },
  })
  const tried = await tryHook(works, input)
  tried.fails('threw')
})

test('hooks beside the one under test run with it', async () => {
  const beside = scriptedHook({
    name: 'a-beside',
    on: step,
    writes: true,
    answers: [transform({ n: 10 })],
  })
  const plus = hook(({ args }) => transform({ n: args.n + 1 }))
  const tried = await tryHook(plus, input, { beside: [beside] })
  tried.transforms({ n: 11 })
  expect(beside.seen).toEqual([input])
})

test('a hook that was never asked is told as skipped', async () => {
  const gate = scriptedHook({
    name: 'a-gate',
    on: step,
    beforeWrites: true,
    answers: [reject('No.')],
  })
  const tried = await tryHook(
    hook(() => proceed),
    input,
    { beside: [gate] },
  )
  expect(complaint(() => tried.proceeds())).toBe(
    'Hook "tried" was expected to proceed, but it was skipped (chain-ended).',
  )
})

test('what another hook said is not what the hook under test said', async () => {
  const gate = scriptedHook({
    name: 'z-gate',
    on: step,
    answers: [reject('No.')],
  })
  const asks = hook(() => ask('Really?'))
  const tried = await tryHook(asks, input, { beside: [gate] })
  tried.asks()
  expect(complaint(() => tried.asks('No.'))).toBe(
    'Hook "tried" was expected to say No., but "z-gate" decided.',
  )
})

test('an error to the caller is the outcome of a trial', async () => {
  const tried = await trial(
    () => {
      throw new Error('Broken.')
    },
    { onFailure: 'required' },
  )
  expect(tried.outcome).toBeInstanceOf(HookError)
  expect(tried.outcome).toMatchObject({ code: 'required-failed' })
  tried.fails('threw')
})

test('a hook that could not be compiled is an error of its own', async () => {
  const bad = hook(() => proceed, { after: ['nobody'] })
  await expect(tryHook(bad, input)).rejects.toMatchObject({
    code: 'dependency-missing',
  })
})

test('a trial keeps the order that hooks declare, whatever their names are', async () => {
  const beside = (name: string, n: number) =>
    scriptedHook({ name, on: step, writes: true, answers: [transform({ n })] })
  const [first, last] = [beside('z-first', 10), beside('a-last', 20)]
  const seen: number[] = []
  const noting: Step['run'] = ({ args }) => {
    seen.push(args.n)
    return proceed
  }
  const between = hook(noting, { after: ['z-first'], before: ['a-last'] })
  await tryHook(between, input, { beside: [last, first] })
  expect(seen).toEqual([10])
  expect(last.seen).toMatchObject([{ args: { n: 10 } }])
})

test('what a hook needs has to be there, and to have completed', async () => {
  const needing = hook(() => proceed, { needs: ['z-needed'] })
  const failing = hook(
    () => {
      throw new Error('Broken.')
    },
    { name: 'z-needed', onFailure: 'open' },
  )
  await expect(tryHook(needing, input)).rejects.toMatchObject({
    code: 'dependency-missing',
  })
  const tried = await tryHook(needing, input, { beside: [failing] })
  tried.fails('needs-failed')
})

test('a contribution that a hook has not declared is its failure', async () => {
  const run: Step['run'] = (_, { contribute }) => {
    contribute(fact({ id: 'a', text: 'A.' }))
    return proceed
  }
  const tried = await trial(run)
  tried.fails('missing-capability')
  expect(complaint(() => tried.contributes(fact))).not.toBe('It holds.')
  const declared = await trial(run, { capabilities: ['fact'] })
  declared.contributes(fact, { id: 'a' })
})

test('the record of a trial has the handler of the hook, and its diagnostics', async () => {
  const tried = await trial(
    (_, { diagnose }) => {
      diagnose('test.looked', 'It has looked.')
      return proceed
    },
    { handler: { id: 'looker', version: '3' } },
  )
  expect(tried.record).toMatchObject({
    handler: { id: 'looker', kind: 'code', version: '3' },
    diagnostics: [{ code: 'test.looked', message: 'It has looked.' }],
  })
})

test('a trial takes a fake clock, so that a timeout needs no time', async () => {
  const clock = createFakeClock()
  const hangs = hook(() => Promise.withResolvers<never>().promise)
  const tried = tryHook(hangs, input, { engine: { clock } })
  await clock.advance(30_000)
  ;(await tried).fails('timed-out')
})

test('a trial has the scope it is given', async () => {
  const looks = hook((_, { scope }) => reject(JSON.stringify(scope)))
  const tried = await tryHook(looks, input, { scope: { session: 's-1' } })
  tried.rejects('{"session":"s-1"}')
})

test('an observer is asserted to complete', async () => {
  const counts = defineHook({
    name: 'counts',
    on: definePoint('test.watched', { input: type<number>(), flow: 'observe' }),
    run: () => {},
  })
  const counted = await tryHook(counts, 1)
  counted.completes()
  expect(complaint(() => counted.denies())).toContain('expected to deny')
})

import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  createMemoryRecords,
  defineHook,
  definePoint,
  type Hook,
  proceed,
  reject,
  type,
} from '../index.ts'

const count = 10_000

const step = definePoint('test.step', {
  input: type<string>(),
  answers: ['reject'],
})
const side = definePoint('test.side', {
  input: type<string>(),
  flow: 'parallel',
  answers: ['reject'],
})

type Run = Hook<typeof step, 'blocking', false>['run']

const name = (index: number) => `hook-${String(index).padStart(5, '0')}`

function many(on: typeof step | typeof side, runOf: (index: number) => Run) {
  const hooks = Array.from({ length: count }, (_, index) =>
    defineHook({ name: name(index), on, run: runOf(index) }),
  )
  return createEngine(compileTable(hooks))
}

const atOnce: Run = () => proceed
const later: Run = async () => proceed

test('F125 10 000 hooks that answer at once are one dispatch with 10 000 records', () => {
  const outcome = many(step, () => atOnce).run(step, 'hey')
  if (outcome instanceof Promise) throw new Error('It took time.')
  expect(outcome.type).toBe('proceed')
  expect(outcome.records).toHaveLength(count)
  expect(outcome.records.map(({ hook }) => hook)).toEqual(
    Array.from({ length: count }, (_, index) => name(index)),
  )
})

test('F125 10 000 hooks that take their time run one after the other', async () => {
  const { type: decided, records } = await many(step, () => later).run(step, '')
  expect(decided).toBe('proceed')
  expect(records).toHaveLength(count)
  expect(records.every(({ state }) => state === 'completed')).toBe(true)
})

test('F125 10 000 hooks side by side keep to the cap', async () => {
  let running = 0
  let most = 0
  const engine = many(side, () => async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return proceed
  })
  const { records } = await engine.run(side, 'hey')
  expect(records).toHaveLength(count)
  expect(most).toBe(16)
})

test('F125 after an early reject the rest of 10 000 hooks has one skipped record each', () => {
  const early = (index: number): Run =>
    index === 3 ? () => reject('No.') : atOnce
  const outcome = many(step, early).run(step, 'hey')
  if (outcome instanceof Promise) throw new Error('It took time.')
  expect(outcome).toMatchObject({ type: 'reject', by: name(3) })
  expect(outcome.records).toHaveLength(count)
  const skipped = outcome.records.filter(
    ({ state, note }) => state === 'skipped' && note === 'chain-ended',
  )
  expect(skipped).toHaveLength(count - 4)
})

test('F125 a late reject of the last of 10 000 hooks is the outcome', async () => {
  const last = (index: number): Run =>
    index === count - 1 ? async () => reject('No.') : atOnce
  const outcome = await many(step, last).run(step, 'hey')
  expect(outcome).toMatchObject({ type: 'reject', by: name(count - 1) })
})

test('the records in memory are the newest ones, the outcome has all', () => {
  const records = createMemoryRecords(100)
  const hooks = Array.from({ length: 250 }, (_, index) =>
    defineHook({ name: name(index), on: step, run: atOnce }),
  )
  const engine = createEngine(compileTable(hooks), { records })
  expect(engine.run(step, 'hey')).toHaveProperty('records.length', 250)
  const kept = records.all().map(({ hook }) => hook)
  expect(kept).toEqual(Array.from({ length: 100 }, (_, n) => name(n + 150)))
})

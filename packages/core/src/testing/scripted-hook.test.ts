import { expect, test } from 'vitest'
import {
  compileTable,
  createEngine,
  definePoint,
  proceed,
  reject,
  transform,
  type,
} from '../index.ts'
import { scriptedHook } from './index.ts'

const step = definePoint('test.step', {
  input: type<string>(),
  answers: ['transform', 'reject'],
})

test('a scripted hook gives its answers in turn, and the last one stays', () => {
  const answers = [proceed, transform('other'), reject('No.')]
  const hook = scriptedHook({ name: 'script', on: step, writes: true, answers })
  const engine = createEngine(compileTable([hook]))
  const types = [1, 2, 3, 4].map(() => {
    const outcome = engine.run(step, 'hey')
    return outcome instanceof Promise ? '' : `${outcome.type} ${outcome.value}`
  })
  expect(types).toEqual([
    'proceed hey',
    'proceed other',
    'reject hey',
    'reject hey',
  ])
})

test('a scripted hook remembers what it was asked', () => {
  const hook = scriptedHook({ name: 'script', on: step, answers: [proceed] })
  const engine = createEngine(compileTable([hook]))
  for (const input of ['one', 'two']) void engine.run(step, input)
  expect(hook.seen).toEqual(['one', 'two'])
})

test('an error among the answers is thrown', () => {
  const answers = [new Error('Broken.'), proceed]
  const hook = scriptedHook({
    name: 'script',
    on: step,
    onFailure: 'open',
    answers,
  })
  const engine = createEngine(compileTable([hook]))
  expect(engine.run(step, 'hey')).toMatchObject({
    records: [{ failure: { code: 'threw' } }],
  })
  expect(engine.run(step, 'hey')).toMatchObject({
    records: [{ state: 'completed' }],
  })
})

test('what a script may not say at its point is found when it says it', () => {
  const answers = [transform('other')]
  const hook = scriptedHook({ name: 'script', on: step, answers })
  expect(createEngine(compileTable([hook])).run(step, 'hey')).toMatchObject({
    type: 'reject',
    failure: { code: 'answer-not-allowed' },
  })
})

test('two scripted hooks do not share what they have seen', () => {
  const script = (name: string) =>
    scriptedHook({ name, on: step, answers: [proceed] })
  const a = script('a')
  const b = script('b')
  void createEngine(compileTable([a])).run(step, 'hey')
  expect([a.seen, b.seen]).toEqual([['hey'], []])
})

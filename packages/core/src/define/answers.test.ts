import { expect, test } from 'vitest'
import { proceed } from '../engine/index.ts'
import {
  ask,
  endTurn,
  keepGoing,
  reject,
  replace,
  respond,
  transform,
} from './answers.ts'

test('an answer is data that says its type and what it carries', () => {
  expect([
    proceed,
    transform({ a: 1 }),
    replace([1]),
    reject('no'),
    respond('done'),
    ask('sure?'),
    endTurn('enough'),
    keepGoing('go on'),
  ]).toEqual([
    { type: 'proceed' },
    { type: 'transform', value: { a: 1 } },
    { type: 'replace', value: [1] },
    { type: 'reject', reason: 'no' },
    { type: 'respond', output: 'done' },
    { type: 'ask', question: 'sure?' },
    { type: 'endTurn', reason: 'enough' },
    { type: 'keepGoing', feedback: 'go on' },
  ])
})

test('proceed is one frozen value', () => {
  expect(Object.isFrozen(proceed)).toBe(true)
})

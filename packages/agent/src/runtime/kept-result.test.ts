import { defineHook, type Hook, reject, respond } from 'hookline'
import { turnError, turnOutput, turnPreTurn } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { Model } from '../index.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { scriptedModel } from '../testing/index.ts'
import { live, notingStore, storeAfter } from './fixtures/crashes.ts'
import { beginLife } from './fixtures/durable.ts'

const refuses = defineHook({
  name: 'refuses',
  on: turnPreTurn,
  run: () => reject('Not on a Sunday.'),
})
const withholds = defineHook({
  name: 'withholds',
  on: turnOutput,
  run: () => reject('It names a person.'),
})
const stepsIn = defineHook({
  name: 'steps-in',
  on: turnError,
  run: () => respond([{ type: 'text', text: 'Try later.' }]),
})

const speaks = () => scriptedModel([{ text: 'Done.' }])
const breaks = () => scriptedModel([{ error: { code: 'unauthorized' } }])

const cases: [string, () => Model, readonly Hook[], object][] = [
  ['succeeded', speaks, [], { status: 'succeeded', stopReason: 'end_turn' }],
  [
    'rejected',
    speaks,
    [refuses],
    { status: 'rejected', reason: 'Not on a Sunday.' },
  ],
  [
    'withheld',
    speaks,
    [withholds],
    { status: 'withheld', reason: 'It names a person.' },
  ],
  ['answered by a hook', breaks, [stepsIn], { status: 'succeeded' }],
]

const input = ['Go.', { id: 'input-1' }] as const

describe('an input that comes again in a later process is told how its turn ended, and why', () => {
  test.each(cases)('%s', async (_, model, hooks, expected) => {
    const writes: string[] = []
    const store = notingStore(writes)
    const before = await live({ store, hooks, model: model(), tools: [] })
    const first = await before.send(...input).result
    expect(first).toMatchObject(expected)
    const later = await storeAfter(writes)
    const after = await live({ store: later, model: speaks(), tools: [] })
    const again = await after.send(...input).result
    expect(again).toEqual({ ...first, isDuplicate: true })
  })

  forEachDatabase((engine) => {
    test('rejected', async () => {
      const place = await engine.newPlace()
      const models = { resolve: speaks }
      const hooks = [refuses]
      const one = await beginLife({ place, models, hooks })
      const before = await one.runtime.openSession({ agent: 'main', id: 's' })
      const first = await before.send(...input).result
      await one.close()
      const two = await beginLife({ place, models })
      const after = await two.runtime.openSession({ agent: 'main', id: 's' })
      const again = await after.send(...input).result
      await two.close()
      expect(again).toEqual({ ...first, isDuplicate: true })
      expect(again.reason).toBe('Not on a Sunday.')
    })
  })
})

test('of an error that ended a turn, a later process has the message', async () => {
  const writes: string[] = []
  const model = breaks()
  const before = await live({ store: notingStore(writes), model, tools: [] })
  const { error, ...first } = await before.send(...input).result
  expect(first.status).toBe('failed')
  const store = await storeAfter(writes)
  const after = await live({ store, model: speaks(), tools: [] })
  const again = await after.send(...input).result
  const kept = { code: 'earlier', message: error?.message }
  expect(again).toEqual({ ...first, error: kept, isDuplicate: true })
})

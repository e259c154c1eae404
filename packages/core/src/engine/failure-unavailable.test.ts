import { expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { HookError, proceed } from './index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['reject'],
})

async function outcomeOf(thrown: Error, onFailure: 'open' | 'closed') {
  const run = () => Promise.reject(thrown)
  const hook = { name: 'away', on: gate, onFailure, run }
  return createEngine(compileTable([hook])).run(gate, '')
}

const away = new HookError('unavailable', 'No program at /home/ann/judge.')

test('a hook that says it could not be asked is no hook that threw', async () => {
  const failure = {
    code: 'unavailable',
    message: 'Hook "away" failed: unavailable.',
  }
  expect(await outcomeOf(away, 'closed')).toMatchObject({
    type: 'reject',
    reason: 'hook_error:unavailable',
    failure: { ...failure, cause: away },
    records: [{ state: 'failed', policy: 'closed', failure }],
  })
  expect(await outcomeOf(away, 'open')).toMatchObject({
    type: 'proceed',
    records: [{ state: 'failed', policy: 'open', failedOpen: true, failure }],
  })
})

test('a matcher that says so has thrown like any other, and is counted', async () => {
  const match = () => {
    throw away
  }
  const hook = { name: 'away', on: gate, match, run: () => proceed }
  const engine = createEngine(compileTable([hook]), { breakerFailures: 1 })
  const alarms: unknown[] = []
  engine.observe((event) => event.type === 'alarm' && alarms.push(event.code))
  const outcome = await engine.run(gate, '')
  expect(outcome).toMatchObject({ reason: 'hook_error:matcher-threw' })
  expect(alarms).toEqual(['quarantined'])
})

test('a hook cannot name any other failure of the engine as its own', async () => {
  const codes = ['timed-out', 'quarantined', 'invalid-answer'] as const
  for (const code of codes) {
    const outcome = await outcomeOf(new HookError(code, 'No.'), 'closed')
    expect(outcome).toMatchObject({ failure: { code: 'threw' } })
  }
})

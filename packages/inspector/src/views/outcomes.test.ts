import { runOutcomes } from '@hookline/daemon/client'
import { expect, test } from 'vitest'
import {
  isRunOutcome,
  lookOfRun,
  outcomeOfStatus,
  outcomes,
} from './outcomes.ts'

test('no two things that hooks do look the same', () => {
  const looks = runOutcomes.map((name) => {
    const { tone, fill } = outcomes[name]
    return `${tone} ${fill}`
  })
  expect(new Set(looks).size).toBe(runOutcomes.length)
  const words = Object.values(outcomes).map(({ word }) => word)
  expect(new Set(words).size).toBe(words.length)
})

test('a run is shown by what came of it', () => {
  const run = {
    state: 'completed',
    failedOpen: false,
    answer: 'endTurn',
  } as const
  expect(lookOfRun(run)).toBe(outcomes.ended_turn)
  expect(lookOfRun({ ...run, state: 'failed' })).toBe(outcomes.failed)
})

test('what comes from an address or a daemon of another age is nothing by chance', () => {
  expect(isRunOutcome('rejected')).toBe(true)
  expect(isRunOutcome('constructor')).toBe(false)
  expect(outcomeOfStatus('constructor')).toBe('done')
  expect(outcomeOfStatus(undefined)).toBe('running')
})

import { expect, test } from 'vitest'
import { outcomeOfRun, runOutcomes, stateOfOutcome } from './run-outcome.ts'

const completed = { state: 'completed', failedOpen: false } as const

test.each([
  [{}, 'observed'],
  [{ answer: 'constructor' }, 'observed'],
  [{ answer: 'proceed' }, 'proceeded'],
  [{ answer: 'proceed', contributions: [{}] }, 'added'],
  [{ answer: 'transform', contributions: [{}] }, 'transformed'],
  [{ answer: 'replace' }, 'replaced'],
  [{ answer: 'respond' }, 'responded'],
  [{ answer: 'reject' }, 'rejected'],
  [{ answer: 'ask' }, 'asked'],
  [{ answer: 'endTurn' }, 'ended_turn'],
  [{ answer: 'keepGoing' }, 'kept_going'],
  [{ answer: 'reject', mode: 'evaluate' }, 'evaluated'],
  [{ state: 'failed', failedOpen: true }, 'failed_open'],
  [{ state: 'failed', answer: 'reject' }, 'failed'],
  [{ state: 'failed', mode: 'evaluate' }, 'failed'],
  [{ state: 'timed_out', failedOpen: true }, 'timed_out'],
  [{ state: 'skipped', mode: 'evaluate' }, 'skipped'],
  [{ state: 'cancelled' }, 'cancelled'],
  [{ state: 'backgrounded' }, 'background'],
  [{ state: 'started' }, 'running'],
] as const)('of a run with %j came that it %s', (given, outcome) => {
  expect(outcomeOfRun({ ...completed, ...given })).toBe(outcome)
})

test('a state that tells the outcome is the one that is looked for', () => {
  for (const outcome of runOutcomes) {
    const state = stateOfOutcome(outcome)
    if (state === undefined) continue
    expect(outcomeOfRun({ state, failedOpen: false })).toBe(outcome)
  }
  expect(stateOfOutcome('running')).toBe('started')
  expect(stateOfOutcome('failed_open')).toBeUndefined()
})

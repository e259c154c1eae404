import type { AgentEvent } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../ports/store.ts'
import { readKeptEntry, readKeptEvent } from './read-answered-by.ts'
import { callSeal } from './sessions/fixtures/entries.ts'

const hook = { kind: 'hook', name: 'stand-in' }
const ann = { kind: 'person', name: 'user:ann' }

test.each([
  ['user:ann', ann],
  ['stand-in', hook],
  ['nobody', { kind: 'nobody', because: 'unasked' }],
  ['expiry', { kind: 'nobody', because: 'unanswered' }],
  ['withdrawal', { kind: 'nobody', because: 'withdrawn' }],
  [hook, hook],
])('an answer that was kept as %j is read as %j', (by, told) => {
  // As an older version has written it.
  const event = { type: 'permission-end', by } as unknown as AgentEvent
  expect(readKeptEvent(event)).toMatchObject({ by: told })
})

test.each([
  ['user:ann', {}, ann],
  ['stand-in', {}, hook],
  ['ann', { approvalId: 'a1' }, { kind: 'person', name: 'ann' }],
  [hook, {}, hook],
])(
  'a seal with the approval of %j and %j is read as by %j',
  (approvedBy, more, told) => {
    const seal = { ...callSeal('t', 'c'), approvedBy, ...more }
    // As an older version has written it.
    const entry = seal as unknown as JournalEntry
    expect(readKeptEntry(entry)).toMatchObject({ approvedBy: told })
  },
)

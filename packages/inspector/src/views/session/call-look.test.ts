import { expect, test } from 'vitest'
import { callLook } from './call-look.ts'

const failed = (error: 'tool' | 'denied' | 'withheld' | 'unknown_outcome') =>
  ({ content: [], isError: true, error }) as const
const well = { content: [], isError: false } as const

test.each([
  ['asked', undefined, 'Waits for a yes'],
  ['executed', well, 'Done'],
  ['executed', failed('tool'), 'Failed'],
  ['executed', failed('withheld'), 'Result withheld'],
  ['synthesized', well, 'Answered by a hook'],
  ['synthesized', failed('tool'), 'Answered by a hook'],
  ['synthesized', failed('withheld'), 'Result withheld'],
  ['denied', failed('denied'), 'Denied'],
  ['unknown_outcome', failed('unknown_outcome'), 'Unknown outcome'],
] as const)(
  'a call that is %s with %j is shown as: %s',
  (state, result, word) => {
    const call = result === undefined ? { state } : { state, result }
    expect(callLook(call)).toMatchObject({ word })
  },
)

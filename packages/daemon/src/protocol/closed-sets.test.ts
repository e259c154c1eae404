import { expect, test } from 'vitest'
import { operationSchemas } from './operations.ts'

test.each([
  ['listRuns', 'timed_out'],
  ['watchRuns', 'timed_out'],
  ['listJobs', 'delayed'],
] as const)(
  'a state that there is none of is no input of %s, and those there are get named',
  (operation, known) => {
    const { input } = operationSchemas[operation]
    expect(input.safeParse({ state: known }).success).toBe(true)
    const odd = input.safeParse({ state: 'odd' })
    expect(odd.error?.issues).toMatchObject([{ path: ['state'] }])
    expect(odd.error?.issues[0]?.message).toContain(known)
  },
)

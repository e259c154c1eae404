import { expect, test } from 'vitest'
import { staleAfter } from './stale-operations.ts'

test('lists of sessions look again when one is called something', () => {
  const told = { type: 'notice', cursor: '1', at: 0 } as const
  expect(staleAfter({ ...told, name: 'session-titled' })).toContain(
    'listSessions',
  )
  expect(staleAfter({ ...told, name: 'config-reloaded' })).not.toContain(
    'listSessions',
  )
})

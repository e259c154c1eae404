import { expect, test } from 'vitest'
import { HeldSession } from './held-session.ts'
import { listedOf } from './listed-session.ts'

const stored = {
  ...{ id: 's', agent: 'main', cwd: '/', title: null, isAsking: false },
  ...{ endReason: null, worker: 'here', openTurn: 't' },
}

/** Another process has left the session with an open turn, if there is one. */
function listed(interrupted: object | undefined) {
  // Nothing else of them is looked at.
  const session = { id: 's', interrupted } as never
  const held = new HeldSession({} as never, session, () => {})
  const parts = { store: { parts: { worker: 'here' } } } as never
  return listedOf({ parts, sessions: { get: () => held } }, stored as never)
}

test('a session that was taken is not idle before the turn that was left in it goes on', () => {
  expect(listed({ inputId: 'i' })).toMatchObject({
    state: 'interrupted',
    turnId: 't',
  })
  const { state, turnId } = listed(undefined)
  expect({ state, turnId }).toEqual({ state: 'idle', turnId: undefined })
})

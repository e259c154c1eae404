import { defineCell, type State } from 'hookline'

// The longest ids that calls have, so many of them, are what it has room for.
const maxCalls = 1_000
const maxChars = 250_000

/**
 * The calls of tools of a turn that were let pass. Guards are asked once more
 * when people have agreed to a call, or after a crash: whoever counts calls
 * has counted that one.
 */
export function createPassedCalls(name: string) {
  const passed = defineCell<readonly string[]>(`${name}:passed`, {
    ...{ initial: () => [], scope: 'turn', maxChars },
  })
  return {
    has: async (state: State, callId: string) =>
      (await state.get(passed)).includes(callId),
    note: async (state: State, callId: string) => {
      await state.update(passed, (before) =>
        [...before, callId].slice(-maxCalls),
      )
    },
  }
}

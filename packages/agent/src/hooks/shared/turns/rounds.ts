import { defineCell, keepGoing, type State } from 'hookline'
import type { TurnStopInput } from 'hookline/lifecycle'

/**
 * How often a hook has kept its turn going. It is counted beside the count of
 * the turn itself, which a process that dies in the middle of a round forgets.
 */
export function createRounds(name: string, most: number) {
  const rounds = defineCell<{ readonly count: number }>(`${name}:rounds`, {
    initial: () => ({ count: 0 }),
    scope: 'turn',
  })
  return {
    /** Whether the model itself wants to stop, and may be kept from it. */
    async areLeft(state: State, stop: TurnStopInput): Promise<boolean> {
      const { isVoluntary, stopReason, continuesSoFar } = stop
      if (!isVoluntary || stopReason === 'refusal') return false
      const { count } = await state.get(rounds)
      return Math.max(count, continuesSoFar) < most
    },
    async goOn(state: State, feedback: string) {
      await state.update(rounds, ({ count }) => ({ count: count + 1 }))
      return keepGoing(feedback)
    },
  }
}

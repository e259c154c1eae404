import { type Clock, defineCell, type State } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { activeMs, type Clocks, endAllWaits, noClocks } from './clocks.ts'
import type { TimeoutBudgetOptions } from './options.ts'

interface StepClock {
  readonly step: number
  /** How long the turn had worked when it began. */
  readonly beganMs: number
}

/** The limit that is nearest, and what is left of it. */
interface TimeLeft {
  readonly of: 'turn' | 'step' | 'session'
  readonly limit: number
  readonly left: number
}

export type Times = ReturnType<typeof createTimes>

/** The clocks of a use of the hooks, and what they say. */
export function createTimes(
  options: TimeoutBudgetOptions,
  { name, clock }: { readonly name: string; readonly clock: Clock },
) {
  const { turnMs = Infinity, stepMs = Infinity } = options
  const { sessionMs = Infinity } = options
  const clocks = defineCell<Clocks>(name, {
    initial: () => noClocks,
    scope: 'tree',
  })
  const steps = defineCell<StepClock>(`${name}:step`, {
    initial: () => ({ step: 0, beganMs: 0 }),
    scope: 'turn',
  })
  const now = () => clock.wallAt(clock.now())
  const activeNow = async (state: State) => {
    const { clock: running, pastMs } = await state.get(clocks)
    return { pastMs, active: running === null ? 0 : activeMs(running, now()) }
  }
  return {
    sessionMs,
    now,
    /** Changes the clocks of the session at the top. */
    change: async (state: State, change: (before: Clocks) => Clocks) =>
      await state.update(clocks, change),
    async beginStep(state: State, { step = 0 }: AgentScope): Promise<void> {
      if (stepMs === Infinity) return
      const { active: beganMs } = await activeNow(state)
      await state.update(steps, (before) =>
        before.step === step ? before : { step, beganMs },
      )
    },
    /**
     * A turn that calls its model has all its answers. What is still waited
     * for then, a process that died has left.
     */
    async endStaleWaits(state: State, scope: AgentScope): Promise<void> {
      const { clock: running } = await state.get(clocks)
      const isOwn = running?.turn === scope.turnId && scope.origin !== 'hook'
      if (!isOwn || running?.waits.length === 0) return
      const at = now()
      await state.update(clocks, (before) => endAllWaits(before, at))
    },
    async leftNow(state: State, { step = 0 }: AgentScope): Promise<TimeLeft> {
      const { pastMs, active } = await activeNow(state)
      const began = stepMs === Infinity ? undefined : await state.get(steps)
      const inStep = began?.step === step ? active - began.beganMs : 0
      const all: readonly TimeLeft[] = [
        { of: 'turn', limit: turnMs, left: turnMs - active },
        { of: 'step', limit: stepMs, left: stepMs - inStep },
        { of: 'session', limit: sessionMs, left: sessionMs - pastMs - active },
      ]
      return all.reduce((least, one) => (one.left < least.left ? one : least))
    },
  }
}

export function overText({ of, limit }: Omit<TimeLeft, 'left'>): string {
  return `The ${of} has worked for ${limit} ms, which is its limit.`
}

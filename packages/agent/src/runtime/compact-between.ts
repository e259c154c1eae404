import type { CompactionHint, CompactionTrigger } from 'hookline/lifecycle'
import { type CompactionOutcome, compact } from '../loop/compact.ts'
import type { Turn } from '../loop/turn.ts'
import { wakeAfter } from '../loop/wait.ts'
import { finishTurn } from './finish-turn.ts'
import type { SessionHost } from './session-host.ts'

const maxCompactionMs = 120_000

/** Makes a conversation shorter while no turn runs, within its own time. */
export async function compactBetween(
  host: SessionHost,
  turn: Turn,
  trigger: CompactionTrigger,
  hint: CompactionHint,
): Promise<CompactionOutcome> {
  const giveUp = () => turn.signal.abort('The summary took too long.')
  const stopClock = wakeAfter(host.parts.clock, maxCompactionMs, giveUp)
  try {
    return await compact(turn, trigger, hint)
  } finally {
    stopClock()
    finishTurn(host, turn)
  }
}

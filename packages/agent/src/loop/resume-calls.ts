import type { CoreEnd } from '../ports/core.ts'
import type { OpenTurn } from '../ports/store.ts'
import { Batch } from './batch.ts'
import { callsIn } from './spoken.ts'
import { closeStep } from './tool-batch.ts'
import type { Turn } from './turn.ts'

/**
 * Goes on with the calls that another process has left. What has ended stays as
 * it ended; what may have run is not run again, unless it may be; the rest is
 * made; or is not, for the reason that is given.
 */
export async function resumeCalls(
  turn: Turn,
  { calls, unmade }: Pick<OpenTurn, 'calls'> & { readonly unmade?: string },
): Promise<CoreEnd | undefined> {
  const { conversation } = turn
  const { last } = conversation
  const blocks = last?.role === 'assistant' ? callsIn(last.content) : []
  if (blocks.length === 0) return undefined
  const batch = new Batch(turn, unmade)
  const resume = async () => {
    for (const block of blocks) {
      await batch.resume(block, calls.get(block.id) ?? {})
    }
  }
  return await closeStep(turn, batch, resume())
}

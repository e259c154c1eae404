import type { MaybePromise } from 'hookline'
import type { SealedCall } from 'hookline/lifecycle'
import {
  type CallFlow,
  type PassedCall,
  type StoppedCall,
  stop,
  verdictsOf,
} from './call-flow.ts'
import { journal } from './commit.ts'
import { executeCall } from './execute-call.ts'
import { isAsked, permitCall } from './permit-call.ts'
import type { Slots } from './slots.ts'

/**
 * Takes a call that passed its gates past people, records it, then runs it: no
 * action without its record first.
 */
export async function runCall(
  flow: CallFlow,
  passed: PassedCall,
  slots: Slots,
): Promise<StoppedCall> {
  const { turn } = flow
  const permitted = isAsked(passed) ? await permitCall(flow, passed) : passed
  if (permitted.type === 'stopped') return permitted
  const { sealed, approvedBy } = permitted
  const { seal } = sealed
  const slot = slots.take()
  if (slot !== undefined) await slot
  try {
    if (turn.signal.aborted) {
      const text = 'The turn was cancelled before the call began.'
      return { ...stop(sealed, 'cancelled', 'cancelled', text), seal }
    }
    const recorded = turn.parts.store && recordCall(flow, sealed, approvedBy)
    if (recorded !== undefined) await recorded
    const receipt = turn.parts.receipts.mint(sealed)
    const { status, result } = await executeCall(flow, permitted, receipt)
    return { type: 'stopped', call: sealed, seal, status, result }
  } finally {
    slots.free()
  }
}

function recordCall(
  flow: CallFlow,
  call: SealedCall,
  approvedBy: string | undefined,
): MaybePromise<void> {
  const { turn } = flow
  const verdicts = verdictsOf(flow)
  return journal(turn, {
    type: 'call-seal',
    turnId: turn.id,
    call,
    verdicts,
    isUngated: verdicts.length === 0,
    ...(approvedBy !== undefined && { approvedBy }),
  })
}

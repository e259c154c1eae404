import {
  type CallFlow,
  type PassedCall,
  type StoppedCall,
  stop,
} from './call-flow.ts'
import { journal } from './commit.ts'
import { executeCall } from './execute-call.ts'
import { type PermittedCall, permitCall } from './permit-call.ts'
import type { Slots } from './slots.ts'

/** Takes a call that passed its gates past people, and runs it. */
export async function runCall(
  flow: CallFlow,
  passed: PassedCall,
  slots: Slots,
): Promise<StoppedCall> {
  const permitted = await permitCall(flow, passed)
  if (permitted.type === 'stopped') return permitted
  const slot = slots.take()
  if (slot !== undefined) await slot
  try {
    return await startCall(flow, passed, permitted)
  } finally {
    slots.free()
  }
}

/** Records a call, then runs it: no action without its record first. */
async function startCall(
  flow: CallFlow,
  { owned }: PassedCall,
  { sealed, approvedBy }: PermittedCall,
): Promise<StoppedCall> {
  const { turn, verdicts } = flow
  const { seal } = sealed
  if (turn.signal.aborted) {
    const text = 'The turn was cancelled before the call began.'
    return { ...stop(sealed, 'cancelled', 'cancelled', text), seal }
  }
  const receipt = turn.parts.receipts.mint(sealed)
  await journal(turn, [
    {
      type: 'call-seal',
      turnId: turn.id,
      call: sealed,
      verdicts,
      isUngated: verdicts.length === 0,
      ...(approvedBy !== undefined && { approvedBy }),
    },
  ])
  const executed = await executeCall(flow, owned.tool, sealed, receipt)
  return { type: 'stopped', call: sealed, seal, ...executed }
}

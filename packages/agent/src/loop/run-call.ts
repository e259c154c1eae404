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
import { tellStart } from './end-call.ts'
import { executeCall } from './execute-call.ts'

/** Records a call, then runs it: no action without its record first. */
export async function runCall(
  flow: CallFlow,
  permitted: PassedCall,
): Promise<StoppedCall> {
  const { turn } = flow
  const { sealed, approvedBy } = permitted
  const { seal } = sealed
  const isOver = () => turn.signal.aborted || flow.step.aborted
  if (isOver()) return notBegun(sealed)
  const recorded = turn.parts.store && recordCall(flow, sealed, approvedBy)
  if (recorded !== undefined) await recorded
  if (turn.events.isWatched) await tellStart(flow, sealed)
  if (isOver()) return notBegun(sealed)
  const receipt = turn.parts.receipts.mint(sealed)
  const { status, result } = await executeCall(flow, permitted, receipt)
  const hasBegun = true
  return { type: 'stopped', call: sealed, seal, hasBegun, status, result }
}

function notBegun(sealed: SealedCall): StoppedCall {
  const text = 'The turn was ended before the call began.'
  const stopped = stop(sealed, 'cancelled', 'cancelled', text)
  return { ...stopped, seal: sealed.seal }
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

import type { MaybePromise } from 'hookline'
import type { SealedCall } from 'hookline/lifecycle'
import type { JournalEntry } from '../ports/store.ts'
import { tableHash } from '../seal/table-hash.ts'
import {
  type CallFlow,
  cancel,
  type PassedCall,
  type StoppedCall,
  verdictsOf,
} from './call-flow.ts'
import { journal } from './commit.ts'
import { tellStart } from './end-call.ts'
import { executeCall } from './execute-call.ts'
import { withStep } from './open-step.ts'

/** Records a call, then runs it: no action without its record first. */
export function runCall(
  flow: CallFlow,
  permitted: PassedCall,
): MaybePromise<StoppedCall> {
  const { turn } = flow
  const { sealed } = permitted
  if (isOver(flow)) return notBegun(sealed)
  const recorded = turn.parts.store && recordCall(flow, permitted)
  if (recorded === undefined && !turn.events.isWatched) {
    return execute(flow, permitted)
  }
  return announce(flow, permitted, recorded)
}

async function announce(
  flow: CallFlow,
  permitted: PassedCall,
  recorded: MaybePromise<void>,
): Promise<StoppedCall> {
  const { sealed } = permitted
  if (recorded instanceof Promise) await recorded
  if (flow.turn.events.isWatched) await tellStart(flow, sealed)
  return isOver(flow) ? notBegun(sealed) : execute(flow, permitted)
}

function execute(
  flow: CallFlow,
  permitted: PassedCall,
): MaybePromise<StoppedCall> {
  const { parts, progress } = flow.turn
  const receipt = parts.receipts.mint(permitted.sealed)
  progress.hasActed = true
  return executeCall(flow, permitted, receipt)
}

function isOver({ turn, step }: CallFlow): boolean {
  return turn.signal.aborted || step.aborted
}

function notBegun(sealed: SealedCall): StoppedCall {
  const text = 'The turn was ended before the call began.'
  return cancel(sealed, text)
}

function recordCall(
  flow: CallFlow,
  { sealed: call, approvedBy, approvalId }: PassedCall,
): MaybePromise<void> {
  const { turn } = flow
  const verdicts = verdictsOf(flow)
  const sealed = {
    type: 'call-seal' as const,
    turnId: turn.id,
    call,
    table: tableHash(flow.table),
    verdicts,
    isUngated: verdicts.length === 0,
  }
  // Most calls are nobody's to approve.
  const entry: JournalEntry =
    approvedBy === undefined && approvalId === undefined
      ? sealed
      : {
          ...sealed,
          ...(approvedBy !== undefined && { approvedBy }),
          ...(approvalId !== undefined && { approvalId }),
        }
  return journal(turn, withStep(turn, entry))
}

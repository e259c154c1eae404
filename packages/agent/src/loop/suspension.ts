import type { CancelSignal } from 'hookline'
import { Suspension } from '../ports/approvals.ts'
import type { Turn } from './turn.ts'

/** Whether a turn stops here to go on elsewhere. */
export function isSuspended({ aborted, reason }: CancelSignal): boolean {
  return aborted && reason instanceof Suspension
}

/** Whether a turn waits for people who may answer when its process is gone. */
export function canWaitOn({ parts, tally }: Turn): boolean {
  const isKept = parts.store !== undefined && parts.approvals?.isDurable
  return isKept === true && tally.isAsking
}

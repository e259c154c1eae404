import type { MaybePromise } from 'hookline'
import type { SealedCall, ToolCallStatus, ToolResult } from 'hookline/lifecycle'
import { cutText } from '../data/cut-text.ts'
import { namelessText } from '../data/error-text.ts'
import type { Receipt } from '../seal/receipts.ts'
import { isIntact } from '../seal/seal-call.ts'
import { limitResult } from '../tools/limit-result.ts'
import { readResult } from '../tools/read-result.ts'
import {
  type CallFlow,
  failure,
  type PassedCall,
  type StoppedCall,
} from './call-flow.ts'
import { RunningCall } from './running-call.ts'
import type { Settled } from './tool-wait.ts'

/**
 * The one way to a tool: runs what the gates have let pass, if it is still
 * what they saw.
 */
export function executeCall(
  { turn }: CallFlow,
  { owned, sealed }: PassedCall,
  receipt: Receipt | undefined,
): MaybePromise<StoppedCall> {
  const { receipts, alarm } = turn.parts
  receipts.redeem(receipt, sealed)
  if (!isIntact(sealed)) {
    alarm('broken-seal', sealed.tool)
    const why = 'The call is no longer the one that was judged.'
    return end(sealed, 'cancelled', failure('dispatch', why))
  }
  const running = new RunningCall(turn, sealed, owned.tool)
  return running.run((settled) => conclude(running, sealed, settled))
}

function end(
  call: SealedCall,
  status: ToolCallStatus,
  result: ToolResult,
): StoppedCall {
  const { seal } = call
  return { type: 'stopped', call, seal, hasBegun: true, status, result }
}

/** What became of a call that was started. */
function conclude(
  { timeoutMs }: RunningCall,
  call: SealedCall,
  { how, value }: Settled,
): StoppedCall {
  switch (how) {
    case 'returned': {
      const { maxOutputBytes } = call.grant
      return end(
        call,
        'executed',
        limitResult(readResult(value), maxOutputBytes),
      )
    }
    case 'threw':
      return end(call, 'executed', failure('tool', messageOf(value)))
    case 'timed-out': {
      const why = `The tool did not end within ${timeoutMs} ms. It may have had effects.`
      return end(call, 'executed', failure('timeout', why))
    }
    case 'cancelled': {
      const why = 'The call was cancelled while it ran.'
      return end(call, 'cancelled', failure('cancelled', why))
    }
    case 'unsettled': {
      const why =
        'The call was cancelled and did not end. Nobody knows what it has done.'
      return end(call, 'unknown_outcome', failure('unknown_outcome', why))
    }
  }
}

const maxMessagePoints = 4_000

function messageOf(thrown: unknown): string {
  return cutText(namelessText(thrown), maxMessagePoints) || 'The tool failed.'
}

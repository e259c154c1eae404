import type { MaybePromise } from 'hookline'
import type { SealedCall, ToolResult } from 'hookline/lifecycle'
import type { Receipt } from '../seal/receipts.ts'
import { isIntact } from '../seal/seal-call.ts'
import { limitResult } from '../tools/limit-result.ts'
import { readResult } from '../tools/read-result.ts'
import { type CallFlow, failure, type PassedCall } from './call-flow.ts'
import { RunningCall, type Settled } from './running-call.ts'

/** What became of a call that was started. */
export interface Executed {
  readonly status: 'executed' | 'cancelled' | 'unknown_outcome'
  readonly result: ToolResult
}

/**
 * The one way to a tool: runs what the gates have let pass, if it is still
 * what they saw.
 */
export function executeCall(
  { turn }: CallFlow,
  { owned, sealed, text }: PassedCall,
  receipt: Receipt | undefined,
): MaybePromise<Executed> {
  const { tool } = owned
  const { receipts, alarm } = turn.parts
  receipts.redeem(receipt, sealed)
  if (!isIntact({ call: sealed, text })) {
    alarm('broken-seal', sealed.tool)
    const why = 'The call is no longer the one that was judged.'
    return { status: 'cancelled', result: failure('dispatch', why) }
  }
  const running = new RunningCall(turn, sealed, tool)
  const settled = running.run()
  return settled instanceof Promise
    ? settled.then((late) => conclude(running, sealed, late))
    : conclude(running, sealed, settled)
}

function conclude(
  { timeoutMs }: RunningCall,
  { grant }: SealedCall,
  { how, value }: Settled,
): Executed {
  switch (how) {
    case 'returned': {
      const result = limitResult(readResult(value), grant.maxOutputBytes)
      return { status: 'executed', result }
    }
    case 'threw':
      return { status: 'executed', result: failure('tool', messageOf(value)) }
    case 'timed-out': {
      const why = `The tool did not end within ${timeoutMs} ms. It may have had effects.`
      return { status: 'executed', result: failure('timeout', why) }
    }
    case 'cancelled': {
      const why = 'The call was cancelled while it ran.'
      return { status: 'cancelled', result: failure('cancelled', why) }
    }
    case 'unsettled': {
      const why =
        'The call was cancelled and did not end. Nobody knows what it has done.'
      const result = failure('unknown_outcome', why)
      return { status: 'unknown_outcome', result }
    }
  }
}

const maxMessageChars = 4_000

function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.slice(0, maxMessageChars) || 'The tool failed.'
}

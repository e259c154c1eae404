import type { BoundTool, SealedCall, ToolResult } from 'hookline/lifecycle'
import type { Receipt } from '../seal/receipts.ts'
import { isIntact } from '../seal/seal-call.ts'
import { limitResult } from '../tools/limit-result.ts'
import { readResult } from '../tools/read-result.ts'
import { type CallFlow, failure } from './call-flow.ts'
import { RunningCall } from './running-call.ts'

/** What became of a call that was started. */
export interface Executed {
  readonly status: 'executed' | 'cancelled' | 'unknown_outcome'
  readonly result: ToolResult
}

/**
 * The one way to a tool: runs what the gates have let pass, if it is still
 * what they saw.
 */
export async function executeCall(
  { turn, scope }: CallFlow,
  tool: BoundTool,
  sealed: SealedCall,
  receipt: Receipt | undefined,
): Promise<Executed> {
  const { receipts, alarm } = turn.parts
  receipts.redeem(receipt, sealed)
  if (!isIntact(sealed, scope)) {
    alarm('broken-seal', sealed.tool)
    const text = 'The call is no longer the one that was judged.'
    return { status: 'cancelled', result: failure('dispatch', text) }
  }
  const running = new RunningCall(turn, sealed, tool)
  const { how, value } = await running.settled(() =>
    tool.dispatch(sealed, running),
  )
  switch (how) {
    case 'returned': {
      const result = readResult(value)
      const { maxOutputBytes } = sealed.grant
      return { status: 'executed', result: limitResult(result, maxOutputBytes) }
    }
    case 'threw':
      return { status: 'executed', result: failure('tool', messageOf(value)) }
    case 'timed-out': {
      const text = `The tool did not end within ${running.timeoutMs} ms. It may have had effects.`
      return { status: 'executed', result: failure('timeout', text) }
    }
    case 'cancelled': {
      const text = 'The call was cancelled while it ran.'
      return { status: 'cancelled', result: failure('cancelled', text) }
    }
    case 'unsettled': {
      const text =
        'The call was cancelled and did not end. Nobody knows what it has done.'
      const result = failure('unknown_outcome', text)
      return { status: 'unknown_outcome', result }
    }
  }
}

const maxMessageChars = 4_000

function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.slice(0, maxMessageChars) || 'The tool failed.'
}

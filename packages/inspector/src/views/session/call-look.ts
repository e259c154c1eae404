import { type CallLook, callLooks } from '../call/call-looks.ts'
import type { CallEntry } from './conversation/conversation.ts'

const states: Readonly<Record<CallEntry['state'], CallLook>> = {
  asked: callLooks.waiting,
  running: callLooks.running,
  executed: { tone: 'good', word: 'Done' },
  synthesized: callLooks.answered,
  denied: callLooks.denied,
  cancelled: callLooks.cancelled,
  unknown_outcome: callLooks.unknown,
}

/** How a call looks where it stands. */
export function callLook({
  state,
  result,
}: Pick<CallEntry, 'state' | 'result'>): CallLook {
  const isEnded = state === 'executed' || state === 'synthesized'
  if (!isEnded || result?.isError !== true) return states[state]
  if (result.error === 'withheld') return callLooks.withheld
  return state === 'executed' ? callLooks.failed : states[state]
}

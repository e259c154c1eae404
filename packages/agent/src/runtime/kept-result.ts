import type { Writable } from '../data/writable.ts'
import type { TurnEnded } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'

/**
 * What a turn came to, as far as its journal has kept it: of a long reply its
 * beginning, of an error the message, and of a value none.
 */
export function keptResult(ended: TurnEnded): TurnResult {
  const { turnId, status, reason, summary } = ended
  const { replyPreview: text, usage, steps, errorPreview, stopReason } = summary
  const result: Writable<TurnResult> = {
    turnId,
    status,
    reply: text === '' ? [] : [{ type: 'text', text }],
    text,
    usage,
    steps,
  }
  if (reason !== undefined) result.reason = reason
  // A hook may have answered in place of the error, which is kept all the same.
  if (errorPreview !== undefined && status === 'failed') {
    result.error = { code: 'earlier', message: errorPreview }
  }
  if (stopReason) result.stopReason = stopReason
  return result
}

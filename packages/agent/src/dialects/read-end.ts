import type { HandlerEnd } from './dialect-facts.ts'
import { finishOf } from './handler-ends.ts'
import { refusalIn } from './printed-verdict.ts'
import type { HandlerRun } from './run-handler.ts'
import type { Verdict } from './verdict.ts'

/**
 * What the end of a handler means to the product. A command that a signal has
 * ended is read like one that has failed with a code of its own, but can only
 * refuse: it may have been about to say more.
 */
export function readEnd(
  handler: HandlerEnd,
  { facts, hook, moment }: Pick<HandlerRun, 'facts' | 'hook' | 'moment'>,
): Verdict {
  const why = finishOf(handler)
  const isCutShort =
    handler.type === 'command' &&
    handler.end.exitCode === undefined &&
    !handler.end.isTimedOut
  if (!isCutShort || typeof why !== 'string') {
    return facts.read(handler, hook, moment)
  }
  const failed = { ...handler.end, exitCode: 1, signal: undefined }
  const said = facts.read({ type: 'command', end: failed }, hook, moment)
  return refusalIn(said, why)
}

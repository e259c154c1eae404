import type { ToolCallBlock } from 'hookline/lifecycle'
import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { Batch } from './batch.ts'
import { type Ending, endedBefore } from './call-flow.ts'
import { closeBatch } from './close-batch.ts'
import { commitStep } from './commit.ts'
import type { CallEnd } from './end-call.ts'
import { endOfAbort, endOfThrown, endWith } from './ends.ts'
import { limitReached } from './limits.ts'
import type { Turn } from './turn.ts'

/** Runs the calls of a reply through the pipeline, and commits the step. */
export function callTools(
  turn: Turn,
  { response, calls }: ModelReply,
): Promise<CoreEnd | undefined> {
  const { stream } = turn.progress
  if (stream === undefined) return makeCalls(turn, calls)
  return stream.release(response.content).then(() => makeCalls(turn, calls))
}

function makeCalls(
  turn: Turn,
  calls: readonly ToolCallBlock[],
): Promise<CoreEnd | undefined> {
  const reason = limitReached(turn, calls.length)
  if (reason !== undefined) {
    const cancelled = cancelCalls(turn, calls, endedBefore(reason))
    return cancelled.then((end) => worse(end, endWith('limited', reason)))
  }
  turn.tally.addToolCalls(calls.length)
  const batch = new Batch(turn)
  return closeStep(turn, batch, batch.begin(calls))
}

/** When all calls have begun and ended: adds their results, commits the step. */
export async function closeStep(
  turn: Turn,
  batch: Batch,
  beginning: Promise<void>,
): Promise<CoreEnd | undefined> {
  await beginning
  const ends: CallEnd[] = []
  for (const end of batch.ends) {
    ends.push(end instanceof Promise ? await end : end)
  }
  const closing = closeBatch(turn, ends, batch.context)
  const ending = closing instanceof Promise ? await closing : closing
  const committing = commitStep(turn)
  if (committing instanceof Promise) await committing
  return endOfStep(turn, batch, ending)
}

/** Whether the turn goes on after a step. */
function endOfStep(
  turn: Turn,
  { failure, ending: wanted }: Batch,
  ending: Ending | undefined,
): CoreEnd | undefined {
  const { signal } = turn
  if (failure !== undefined) return endOfThrown(turn, failure.thrown)
  if (signal.aborted) return endOfAbort(signal)
  const end = wanted ?? ending
  return end && endWith('succeeded', end.reason, end.by)
}

/**
 * Commits a step whose calls are not made: each still has its result, which is
 * the reason, and hooks can still end the turn.
 */
export function cancelCalls(
  turn: Turn,
  calls: readonly ToolCallBlock[],
  unmade: string,
): Promise<CoreEnd | undefined> {
  const batch = new Batch(turn, unmade)
  return closeStep(turn, batch, batch.begin(calls))
}

/** Of a turn that ends anyway it is only news if it has not succeeded. */
export function worse(closed: CoreEnd | undefined, end: CoreEnd): CoreEnd {
  return closed === undefined || closed.status === 'succeeded' ? end : closed
}

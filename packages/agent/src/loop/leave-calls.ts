import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { commitStep } from './commit.ts'
import { cancelCalls } from './tool-batch.ts'
import type { Turn } from './turn.ts'

/** What the model is told of a call that its core has not made. */
export const unmade = 'The call was not made: the agent did without it.'

/** Whether the newest reply has calls that are not made yet. */
export function hasUnmade({ progress }: Turn): boolean {
  const { reply } = progress
  return reply !== undefined && reply.calls.length > 0
}

/** The turn goes on: what has been said goes out, and stays. */
export async function leaveReply(turn: Turn): Promise<CoreEnd | undefined> {
  const { reply, stream } = turn.progress
  if (reply !== undefined) await stream?.release(reply.response.content)
  return leaveStep(turn)
}

/** Commits a step; calls that its core has not made are cancelled. */
export async function leaveStep(turn: Turn): Promise<CoreEnd | undefined> {
  const { progress } = turn
  const { reply } = progress
  progress.stream = undefined
  if (reply === undefined || reply.calls.length === 0) {
    await commitStep(turn)
    return undefined
  }
  progress.reply = undefined
  return cancelCalls(turn, reply.calls, unmade)
}

/**
 * The turn ends on a reply: what was said is for the end, where it is judged.
 * Of its message only the calls stay, and have their results.
 */
export function leaveCalls(
  turn: Turn,
  { calls }: ModelReply,
  why: string = unmade,
): Promise<CoreEnd | undefined> {
  turn.progress.reply = undefined
  // What the provider wants back with them may refer to what is dropped.
  const content = calls.map(({ providerData: _, ...call }) => call)
  turn.conversation.replaceLast({ role: 'assistant', content })
  return cancelCalls(turn, calls, why)
}

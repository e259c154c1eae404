import type { CoreEnd } from '../ports/core.ts'
import { addContext } from './edits.ts'
import { joinIn } from './join-in.ts'
import { takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'

/**
 * Takes what the user has said since: it passes the gates of any input. Says
 * whether anything came of it; before the first that does, `beforeFirst`, and
 * if the turn ends by that, the rest is for the next one.
 */
export async function takeSteering(
  turn: Turn,
  beforeFirst: () => Promise<CoreEnd | undefined> = async () => undefined,
): Promise<CoreEnd | 'some' | 'none'> {
  const { conversation, events, steering, progress } = turn
  let isAnyTaken = false
  for (let next = steering[0]; next !== undefined; next = steering[0]) {
    // If a gate breaks, it is still there for the next turn.
    const taken = await takeInput(turn, next.content)
    if (taken.type !== 'rejected' && !isAnyTaken) {
      const end = await beforeFirst()
      if (end !== undefined) return end
    }
    steering.shift()
    if (taken.type === 'rejected') {
      next.settle({ type: 'rejected', reason: taken.reason })
      continue
    }
    const { content, context } = taken
    isAnyTaken = true
    addContext(turn, context)
    conversation.addUser(content)
    const { message, actor } = next.options
    joinIn(turn, actor)
    if (message !== undefined) progress.taken.push(message)
    next.settle({ type: 'taken' })
    if (events.isWatched) {
      await events.emit({ type: 'turn-input', content, isSteering: true })
    }
  }
  return isAnyTaken ? 'some' : 'none'
}

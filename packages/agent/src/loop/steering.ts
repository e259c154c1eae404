import { addContext } from './edits.ts'
import { joinIn } from './join-in.ts'
import { takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'

/**
 * Takes what the user has said since: it passes the gates of any input. Says
 * whether anything came of it; before the first that does, `beforeFirst`.
 */
export async function takeSteering(
  turn: Turn,
  beforeFirst: () => Promise<void> = async () => {},
): Promise<boolean> {
  const { conversation, events, steering, progress } = turn
  let isAnyTaken = false
  for (let next = steering[0]; next !== undefined; next = steering[0]) {
    // If a gate breaks, it is still there for the next turn.
    const taken = await takeInput(turn, next.content)
    steering.shift()
    if (taken.type === 'rejected') {
      next.settle({ type: 'rejected', reason: taken.reason })
      continue
    }
    const { content, context } = taken
    if (!isAnyTaken) await beforeFirst()
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
  return isAnyTaken
}

import { addContext } from './edits.ts'
import { takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'

/** Takes what the user has said since; it passes the gates of any input. */
export async function takeSteering(turn: Turn): Promise<void> {
  const { conversation, events, steering } = turn
  for (
    let next = steering.shift();
    next !== undefined;
    next = steering.shift()
  ) {
    const taken = await takeInput(turn, next.content)
    if (taken.type === 'rejected') {
      next.settle({ type: 'rejected', reason: taken.reason })
      continue
    }
    const { content, context } = taken
    addContext(turn, context)
    conversation.addUser(content)
    if (events.isWatched) {
      await events.emit({ type: 'turn-input', content, isSteering: true })
    }
    next.settle({ type: 'taken' })
  }
}

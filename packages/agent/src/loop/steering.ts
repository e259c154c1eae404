import { addContext } from './edits.ts'
import { type TakenInput, takeInput } from './take-input.ts'
import type { Turn } from './turn.ts'

type Accepted = Extract<TakenInput, { type: 'taken' }>

/** Has judged what the user has said since: it passes the gates of any input. */
export async function judgeSteering(turn: Turn): Promise<readonly Accepted[]> {
  const { steering } = turn
  const accepted: Accepted[] = []
  for (let next = steering[0]; next !== undefined; next = steering[0]) {
    // If a gate breaks, it is still there for the next turn.
    const taken = await takeInput(turn, next.content)
    steering.shift()
    if (taken.type === 'rejected') {
      next.settle({ type: 'rejected', reason: taken.reason })
      continue
    }
    accepted.push(taken)
    next.settle({ type: 'taken' })
  }
  return accepted
}

export async function addSteering(
  turn: Turn,
  accepted: readonly Accepted[],
): Promise<void> {
  const { conversation, events } = turn
  for (const { content, context } of accepted) {
    addContext(turn, context)
    conversation.addUser(content)
    if (events.isWatched) {
      await events.emit({ type: 'turn-input', content, isSteering: true })
    }
  }
}

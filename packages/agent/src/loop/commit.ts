import type { Message } from 'hookline/lifecycle'
import type { JournalEntry } from '../ports/store.ts'
import type { Turn } from './turn.ts'

/** What the conversation has gained since the last commit stays. */
export async function commitStep(turn: Turn): Promise<void> {
  const messages = turn.conversation.commit()
  if (messages.length > 0) await journal(turn, [stepCommit(turn, messages)])
}

export function stepCommit(
  { id: turnId }: Turn,
  messages: readonly Message[],
): JournalEntry {
  return { type: 'step-commit', turnId, messages }
}

/** Writes to the session's journal, if it has one. */
export function journal(
  { parts, session }: Turn,
  entries: readonly JournalEntry[],
): void | PromiseLike<void> {
  return parts.store?.append(session.id, entries)
}

import type { MaybePromise } from 'hookline'
import type { Message } from 'hookline/lifecycle'
import type { JournalEntry } from '../ports/store.ts'
import type { Turn } from './turn.ts'

/** What the conversation has gained since the last commit stays. */
export function commitStep(turn: Turn): MaybePromise<void> {
  const messages = turn.conversation.commit()
  if (messages.length > 0) return journal(turn, stepCommit(turn, messages))
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
  ...entries: readonly JournalEntry[]
): MaybePromise<void> {
  return parts.store?.append(session.id, entries)
}

import type { MaybePromise } from 'hookline'
import type { Message } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import type { JournalEntry } from '../ports/store.ts'
import { chain } from './chain.ts'
import type { Turn } from './turn.ts'
import { withinGrace } from './within-grace.ts'

/**
 * What the conversation has gained stays, once it is written down. As long as
 * no tool has acted, all of it can still be as if it had not been.
 */
export function commitStep(turn: Turn): MaybePromise<void> {
  const { conversation, parts, progress } = turn
  if (!progress.hasActed) return
  if (parts.store === undefined) return conversation.commit()
  const { pending } = conversation
  if (pending.length === 0) return
  const kept = journal(turn, stepCommit(turn, pending))
  return chain(kept, () => conversation.commit())
}

export function stepCommit(
  { id: turnId }: Turn,
  messages: readonly Message[],
): JournalEntry {
  return { type: 'step-commit', turnId, messages }
}

/** Writes to the session's journal, if it has one. */
export function journal(
  turn: Turn,
  ...entries: readonly JournalEntry[]
): MaybePromise<void> {
  const { store } = turn.parts
  if (store === undefined) return
  const kept = settled(store.append(turn.session.id, entries))
  if (kept instanceof Promise) return withinGrace(turn, kept, 'The store')
}

import type { MaybePromise } from 'hookline'
import type { Message, UserContent } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import type { JournalEntry } from '../ports/store.ts'
import { chain } from './chain.ts'
import { isSuspended } from './suspension.ts'
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
  const kept = journal(turn, [stepCommit(turn, pending)])
  return chain(kept, () => {
    progress.isStepOpen = false
    conversation.commit()
  })
}

/** Notes that a turn has begun, and with what. */
export function recordStart(turn: Turn): MaybePromise<void> {
  if (turn.parts.store === undefined) return
  turn.progress.isRecorded = true
  return journal(turn, [turnStart(turn, turn.progress.content)])
}

export function turnStart(
  { id: turnId, inputId, progress }: Turn,
  content?: UserContent,
): JournalEntry {
  const { turn = 0, origin, actor } = progress.scope
  return {
    type: 'turn-start',
    turnId,
    turn,
    origin,
    ...(content !== undefined && { content }),
    ...(actor !== undefined && { actor }),
    ...(inputId !== undefined && { inputId }),
  }
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
  entries: readonly JournalEntry[],
): MaybePromise<void> {
  const { store } = turn.parts
  // What is suspended has not happened: it is left as the journal has it.
  if (store === undefined || isSuspended(turn.signal)) return
  const kept = settled(store.append(turn.session.id, entries))
  if (kept instanceof Promise) return withinGrace(turn, kept, 'The store')
}

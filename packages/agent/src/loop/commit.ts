import type { MaybePromise } from 'hookline'
import type { Message, UserContent } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import type { Writable } from '../data/writable.ts'
import type {
  JournalEntry,
  StepCommitted,
  TurnStarted,
} from '../ports/store.ts'
import { chain } from './chain.ts'
import { isSuspended } from './suspension.ts'
import type { Turn } from './turn.ts'
import { useSince } from './turn-use.ts'
import { withinGrace } from './within-grace.ts'

/**
 * What the conversation has gained stays, once it is written down. As long as
 * no tool has acted, all of it can still be as if it had not been.
 */
export function commitStep(turn: Turn): MaybePromise<void> {
  const { conversation, parts, progress } = turn
  if (!progress.hasActed) {
    // The next call brings all that was said, and the reply that it is part of.
    progress.isStepOpen = false
    return
  }
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
  { id: turnId, inputId, digest, depth, output, progress }: Turn,
  content?: UserContent,
): JournalEntry {
  const { turn = 0, origin, actor } = progress.scope
  const type = 'turn-start'
  const start: Writable<TurnStarted> = { type, turnId, turn, origin }
  if (content !== undefined) start.content = content
  if (actor !== undefined) start.actor = actor
  if (inputId !== undefined) start.inputId = inputId
  if (digest !== undefined) start.digest = digest
  if (depth > 0) start.depth = depth
  if (output) start.output = output.jsonSchema
  return start
}

export function stepCommit(
  turn: Turn,
  messages: readonly Message[],
): JournalEntry {
  const { id: turnId } = turn
  const commit: Writable<StepCommitted> = {
    type: 'step-commit',
    turnId,
    messages,
  }
  const used = useSince(turn)
  if (used !== undefined) commit.used = used
  return withTaken(turn, commit)
}

/** Adds the messages whose words an entry is the first to keep. */
export function withTaken<E extends JournalEntry>(
  { progress }: Turn,
  entry: E,
): E {
  const { taken } = progress
  return taken.length === 0 ? entry : { ...entry, taken: taken.splice(0) }
}

/** Writes to the session's journal, if it has one. */
export function journal(
  turn: Turn,
  entries: readonly JournalEntry[],
): MaybePromise<void> {
  const { store } = turn.parts
  // What is suspended has not happened: it is left as the journal has it.
  if (store === undefined || isSuspended(turn.signal)) return
  const kept = settled(store.append(turn.session.id, withJoined(turn, entries)))
  if (kept instanceof Promise) return withinGrace(turn, kept, 'The store')
}

/** Whoever has joined in is known from the next entry on, whatever that is. */
function withJoined(
  { progress }: Turn,
  entries: readonly JournalEntry[],
): readonly JournalEntry[] {
  const { joined: actor } = progress
  if (actor === undefined) return entries
  const [first, ...rest] = entries
  if (first === undefined) return entries
  // No turn has anything after that.
  if (first.type === 'session-end') return entries
  progress.joined = undefined
  return [{ ...first, actor }, ...rest]
}

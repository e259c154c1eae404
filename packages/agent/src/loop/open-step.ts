import type { JournalEntry, StepOpened } from '../ports/store.ts'
import { progressIn } from '../ports/turn-use.ts'
import { withTaken } from './commit.ts'
import type { Turn } from './turn.ts'
import { useOf } from './turn-use.ts'

/**
 * What a call adds to the journal. The first one of a step brings the reply
 * that it is part of: whoever goes on after a crash has to know what was asked.
 */
export function withStep(
  turn: Turn,
  entry: JournalEntry,
): readonly JournalEntry[] {
  const { progress, parent } = turn
  // What a hook does is part of no reply.
  if (progress.isStepOpen || parent !== undefined) return [entry]
  progress.isStepOpen = true
  return [openedStep(turn), entry]
}

function openedStep(turn: Turn): StepOpened {
  const { id: turnId, conversation, progress } = turn
  const { step, system } = progress
  const used = progressIn(useOf(turn))
  return withTaken(turn, {
    type: 'step-open',
    turnId,
    step,
    tail: conversation.tail,
    progress: system === undefined ? used : { ...used, system },
  })
}

import type { CoreEnd } from '../ports/core.ts'
import type { OpenTurn } from '../ports/store.ts'
import { useAt } from '../ports/turn-use.ts'
import { endedBefore } from './call-flow.ts'
import { journal } from './commit.ts'
import { resumeCalls } from './resume-calls.ts'
import { callsIn } from './spoken.ts'
import { unknownOutcome } from './take-up-call.ts'
import type { Turn } from './turn.ts'
import { useOf } from './turn-use.ts'
import { wordsOf } from './user-message.ts'

/** Puts a turn where it was when its process stopped. */
export function takeUp(turn: Turn, open: OpenTurn): void {
  restore(turn, open)
  const { conversation, progress } = turn
  for (const { role, content } of conversation.shown) {
    if (role !== 'assistant') continue
    for (const { id } of callsIn(content)) progress.callIds.add(id)
  }
}

function restore(
  { conversation, progress, tally }: Turn,
  { start, commits, step, calls, used }: OpenTurn,
): void {
  const { content = [] } = start
  const hasRun = [...calls.values()].some(({ sealed }) => sealed !== undefined)
  progress.content = content
  progress.hasActed = commits > 0 || hasRun
  if (step !== undefined) {
    conversation.restore(step.tail)
    progress.isStepOpen = true
  } else if (commits === 0) {
    conversation.addUser(wordsOf(content))
  }
  // Snapshots of the version before have it with the step alone.
  const counted = used ?? (step && useAt(step.step, step.progress))
  if (counted === undefined) return
  progress.step = counted.step
  progress.scope = Object.freeze({ ...progress.scope, step: counted.step })
  progress.continues = counted.continues
  progress.budgetedSteps = counted.budgetedSteps
  tally.restore(counted)
}

/**
 * What a process was at when it stopped may be done again, and was perhaps paid
 * for: it counts as a step, so that a turn that ends processes has an end.
 */
export async function countLost(
  turn: Turn,
  { step, calls }: OpenTurn,
): Promise<void> {
  const isRunning = [...calls.values()].some(
    ({ sealed, ended }) => sealed !== undefined && ended === undefined,
  )
  if (step !== undefined && !isRunning) return
  turn.progress.budgetedSteps++
  const used = useOf(turn)
  await journal(turn, [{ type: 'turn-resume', turnId: turn.id, used }])
}

/**
 * Calls that hooks made are in no reply. If one of them was running, it is
 * written down that nobody knows how it ended.
 */
export async function endLostCalls(
  turn: Turn,
  { calls }: OpenTurn,
): Promise<void> {
  const { last } = turn.conversation
  const content = last?.role === 'assistant' ? last.content : []
  const asked = new Set(callsIn(content).map(({ id }) => id))
  const entries = [...calls].flatMap(([id, { sealed, ended }]) => {
    if (sealed === undefined || ended !== undefined || asked.has(id)) return []
    const { status, result } = unknownOutcome(sealed.call)
    const lost = { call: sealed.call, result, status, elapsedMs: 0 }
    return [{ type: 'call-end' as const, turnId: turn.id, ended: lost }]
  })
  if (entries.length > 0) await journal(turn, entries)
}

/** Brings a turn to an end that nobody goes on with. */
export async function abandon(turn: Turn, open: OpenTurn): Promise<CoreEnd> {
  const message = 'The process stopped before the turn had ended.'
  if (open.step !== undefined) {
    const unmade = endedBefore('the process stopped')
    await resumeCalls(turn, { calls: open.calls, unmade })
  }
  const error = { code: 'interrupted', message }
  return { type: 'end', status: 'failed', reply: [], error }
}

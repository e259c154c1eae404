import type { MaybePromise } from 'hookline'
import {
  type ModelContent,
  type Reply,
  type TurnError,
  type TurnSummary,
  turnPostTurn,
} from 'hookline/lifecycle'
import { cutText } from '../data/cut-text.ts'
import { errorText } from '../data/error-text.ts'
import type { CoreEnd } from '../ports/core.ts'
import type { JournalEntry } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { endStep } from './begin-step.ts'
import { attempt } from './chain.ts'
import { journal, stepCommit, turnStart } from './commit.ts'
import { withheldReply } from './judge-output.ts'
import { openStream } from './open-stream.ts'
import { textOf } from './spoken.ts'
import { checkOutput, readOutput } from './structured-output.ts'
import type { Turn } from './turn.ts'

const maxPreviewPoints = 4_000
const maxErrorPoints = 1_000
const maxToolsListed = 40

/** Settles what stays of a turn, keeps it, and only then says that it ended. */
export async function closeTurn(
  turn: Turn,
  reached: CoreEnd,
): Promise<TurnResult> {
  const { events, progress, id: turnId, tally } = turn
  const { end: settled, value } =
    turn.output === undefined
      ? { end: withNote(reached), value: undefined }
      : await settleOutput(turn, withNote(reached))
  const keeping = keepTurn(turn, settled)
  const end = keeping instanceof Promise ? await keeping : keeping
  const { status, reply, reason, error, stopReason } = end
  if (turn.agent.table.plans.has(turnPostTurn.name)) {
    const summary = summaryOf(turn, end)
    progress.afterwards = () =>
      ask(turn, turnPostTurn, { status, summary }, { isAfterwards: true })
  }
  const why = {
    ...(reason !== undefined && { reason }),
    ...(error && status === 'failed' && { error }),
  }
  if (events.isWatched) {
    await releaseReply(turn, end)
    if (progress.isInStep) await endStep(turn)
    await events.emit({ type: 'turn-end', status, reply, ...why })
  }
  return Object.freeze({
    turnId,
    status,
    reply,
    text: textOf(reply),
    ...(value !== undefined && { value }),
    ...why,
    usage: tally.usage,
    steps: progress.step,
    ...(stopReason && { stopReason }),
  })
}

/** Nobody is told of a turn as it was not kept. */
function keepTurn(turn: Turn, end: CoreEnd): MaybePromise<CoreEnd> {
  const { conversation, parts } = turn
  settleConversation(turn, end)
  return attempt(
    () => parts.store && recordEnd(turn, end),
    () => {
      conversation.commit()
      conversation.endTurn()
      return end
    },
    (thrown): CoreEnd => {
      conversation.endTurn()
      const message = errorText(thrown)
      const error: TurnError = { code: 'store', message }
      return { type: 'end', status: 'failed', reply: [], error }
    },
  )
}

function recordEnd(turn: Turn, end: CoreEnd): MaybePromise<void> {
  const { conversation, id: turnId, inputId, progress } = turn
  const { pending } = conversation
  const begun = progress.isRecorded ? [] : [turnStart(turn)]
  const ended: JournalEntry = {
    type: 'turn-end',
    turnId,
    status: end.status,
    summary: summaryOf(turn, end),
    ...(inputId !== undefined && { inputId }),
  }
  return pending.length > 0
    ? journal(turn, [...begun, stepCommit(turn, pending), ended])
    : journal(turn, [...begun, ended])
}

/** What was withheld leaves a note of that in its place. */
function withNote(end: CoreEnd): CoreEnd {
  const isBlank = end.status === 'withheld' && end.reply.length === 0
  return isBlank ? { ...end, reply: withheldReply(end.reason ?? '') } : end
}

/** A reply that is to be a value must still be one after its judgement. */
async function settleOutput(
  turn: Turn,
  given: CoreEnd,
): Promise<{ end: CoreEnd; value?: unknown }> {
  const end = await checkOutput(turn, given)
  if (end.status !== 'succeeded') return { end }
  const { value } = await readOutput(turn, end.reply)
  return { end, value }
}

/**
 * Decides what later turns will know of this one. Whatever was committed stays,
 * with a note of how the turn ended; a turn that did nothing leaves nothing
 * behind, unless it has a reply.
 */
function settleConversation(
  { conversation, progress }: Turn,
  end: CoreEnd,
): void {
  const { status, reply } = end
  const isAnswered = status === 'succeeded' || status === 'withheld'
  if (!isAnswered && !conversation.isTouched && !progress.hasActed) {
    conversation.rollBack()
    return
  }
  const content: ModelContent =
    isAnswered && reply.length > 0 ? reply : [noteOf(end)]
  const { last, shown, committed } = conversation
  if (last?.role !== 'assistant') {
    conversation.add({ role: 'assistant', content })
  } else if (shown.length > committed) {
    // Its last reply, as it was judged; or what became of the turn instead.
    conversation.replaceLast({ role: 'assistant', content })
  }
}

function noteOf({ status, reason, error }: CoreEnd) {
  const why = reason ?? error?.message ?? ''
  const word = status === 'succeeded' ? 'ended' : status
  return { type: 'text' as const, text: `[turn ${word}${why && `: ${why}`}]` }
}

/** Lets out what the gates left of the last reply, whoever wrote it. */
async function releaseReply(
  turn: Turn,
  { status, reply }: CoreEnd,
): Promise<void> {
  const stream = turn.progress.stream ?? openStream(turn)
  const isForUser = status === 'succeeded' || status === 'withheld'
  if (isForUser) await stream.release(reply)
  else await stream.close()
}

function summaryOf(turn: Turn, end: CoreEnd): TurnSummary {
  const { id: turnId, agent, parts, progress, startedMs, tally } = turn
  const { error, stopReason } = end
  const { calls } = progress
  const errorPreview = error && cutText(error.message, maxErrorPoints)
  return {
    turnId,
    model: agent.config.model,
    userPreview: preview(progress.content),
    replyPreview: preview(end.reply),
    ...(errorPreview !== undefined && { errorPreview }),
    tools: calls.slice(0, maxToolsListed),
    toolCount: calls.length,
    steps: progress.step,
    usage: tally.usage,
    ...(stopReason && { stopReason }),
    startedAt: parts.clock.wallAt(startedMs),
    elapsedMs: Math.max(0, parts.clock.now() - startedMs),
  }
}

function preview(content: Reply): string {
  const text = textOf(content)
  return cutText(text, maxPreviewPoints)
}

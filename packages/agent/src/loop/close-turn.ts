import { truncate } from 'hookline'
import {
  type ModelContent,
  type Reply,
  type TurnError,
  type TurnSummary,
  turnPostTurn,
} from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import type { JournalEntry } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { endStep } from './begin-step.ts'
import { journal, stepCommit } from './commit.ts'
import { withheldReply } from './judge-output.ts'
import { textOf } from './spoken.ts'
import { readOutput } from './structured-output.ts'
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
  const { end, value } =
    turn.output === undefined
      ? { end: reached, value: undefined }
      : await settleOutput(turn, reached)
  const messages = settleConversation(turn, end)
  if (progress.stream !== undefined) await releaseReply(turn, end)
  const { status, reply, reason, error, stopReason } = end
  const summary = summaryOf(turn, end)
  const entries: JournalEntry[] = [
    ...(messages.length > 0 ? [stepCommit(turn, messages)] : []),
    {
      type: 'turn-end',
      turnId,
      status,
      summary,
      ...(turn.inputId !== undefined && { inputId: turn.inputId }),
    },
  ]
  const kept = journal(turn, ...entries)
  if (kept !== undefined) await kept
  if (progress.isInStep) await endStep(turn)
  const why = {
    ...(reason !== undefined && { reason }),
    ...(error && status === 'failed' && { error }),
  }
  if (events.isWatched) {
    await events.emit({ type: 'turn-end', status, reply, ...why })
  }
  if (turn.agent.table.plans.has(turnPostTurn.name)) {
    progress.afterwards = () =>
      ask(turn, turnPostTurn, { status, summary }, { isAfterwards: true })
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

/** A reply that is to be a value must still be one after its judgement. */
async function settleOutput(
  turn: Turn,
  end: CoreEnd,
): Promise<{ end: CoreEnd; value?: unknown }> {
  if (end.status !== 'succeeded') return { end }
  const { value, problem } = await readOutput(turn, end.reply)
  if (problem === undefined) return { end, value }
  const message = `The reply is not what was asked for: ${problem}`
  const error: TurnError = { code: 'invalid-output', message }
  return { end: { ...end, status: 'failed', error } }
}

/**
 * Decides what later turns will know of this one. Whatever tools have done
 * stays, with a note of how the turn ended; a turn that did nothing leaves
 * nothing behind, unless it has a reply.
 */
function settleConversation(turn: Turn, end: CoreEnd) {
  const { conversation, progress } = turn
  const { status, reason } = end
  const isAnswered = status === 'succeeded' || status === 'withheld'
  if (!isAnswered) conversation.rollBack()
  const isTouched = conversation.committed > conversation.lengthBeforeTurn
  if (isAnswered || isTouched) {
    const said = status === 'withheld' ? withheldReply(reason ?? '') : end.reply
    const content: ModelContent = isAnswered ? said : [noteOf(end)]
    closeWith(turn, content.length > 0 ? content : [noteOf(end)])
  }
  const messages = conversation.commit()
  conversation.endTurn()
  progress.context = []
  return messages
}

/** The conversation ends with the agent's own words. */
function closeWith({ conversation }: Turn, content: ModelContent): void {
  const { last, committed, shown } = conversation
  const isOpen = last?.role === 'assistant' && shown.length > committed
  if (isOpen) conversation.replaceLast({ role: 'assistant', content })
  else conversation.add({ role: 'assistant', content })
}

function noteOf({ status, reason, error }: CoreEnd) {
  const why = reason ?? error?.message ?? ''
  const word = status === 'succeeded' ? 'ended' : status
  return { type: 'text' as const, text: `[turn ${word}${why && `: ${why}`}]` }
}

/** Lets out what the gates left of the last reply. */
async function releaseReply(
  { progress }: Turn,
  { status, reply }: CoreEnd,
): Promise<void> {
  const { stream } = progress
  progress.stream = undefined
  const isForUser = status === 'succeeded' || status === 'withheld'
  if (isForUser) await stream?.release(reply)
  else await stream?.close()
}

function summaryOf(turn: Turn, end: CoreEnd): TurnSummary {
  const { id: turnId, agent, parts, progress, startedMs, tally } = turn
  const { error, stopReason } = end
  const { calls } = progress
  const errorPreview = error && truncate(error.message, maxErrorPoints).text
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
    elapsedMs: parts.clock.now() - startedMs,
  }
}

function preview(content: Reply): string {
  const text = textOf(content)
  return text.length <= maxPreviewPoints
    ? text
    : truncate(text, maxPreviewPoints).text
}

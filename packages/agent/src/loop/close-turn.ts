import type { InputOf, MaybePromise } from 'hookline'
import {
  type ModelContent,
  type Reply,
  type TurnError,
  type TurnSummary,
  turnPostTurn,
} from 'hookline/lifecycle'
import { cutText } from '../data/cut-text.ts'
import { errorText } from '../data/error-text.ts'
import type { Writable } from '../data/writable.ts'
import type { CoreEnd } from '../ports/core.ts'
import type { JournalEntry, TurnEnded } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { ask } from './ask.ts'
import { endStep } from './begin-step.ts'
import { attempt, chain } from './chain.ts'
import { journal, stepCommit, turnStart, withTaken } from './commit.ts'
import { withheldReply } from './judge-output.ts'
import { openStream } from './open-stream.ts'
import { textOf } from './spoken.ts'
import { checkOutput, readOutput } from './structured-output.ts'
import { isSuspended } from './suspension.ts'
import type { Turn } from './turn.ts'

const maxPreviewPoints = 4_000
const maxErrorPoints = 1_000
const maxToolsListed = 40

/** Settles what stays of a turn, keeps it, and only then says that it ended. */
export function closeTurn(
  turn: Turn,
  reached: CoreEnd,
): MaybePromise<TurnResult> {
  const end = withNote(reached)
  if (turn.output === undefined) return keepAndTell(turn, end)
  return settleOutput(turn, end).then(({ end: settled, value }) =>
    keepAndTell(turn, settled, value),
  )
}

function keepAndTell(
  turn: Turn,
  settled: CoreEnd,
  value?: unknown,
): MaybePromise<TurnResult> {
  const { events, progress } = turn
  const isOwed = isAwaited(turn)
  return chain(keepTurn(turn, settled, isOwed), (end) => {
    if (isOwed) {
      const { status } = end
      const summary = summaryOf(turn, end)
      progress.afterwards = (observed) =>
        tellHooks(turn, { status, summary }, observed)
    }
    const result = resultOf(turn, end, value)
    return events.isWatched ? tellEnd(turn, end).then(() => result) : result
  })
}

/**
 * Whoever tells hooks of the end of a turn cannot know whether a process that
 * died had already done so: their runs and jobs are the same ones then.
 */
export function endIdOf(turnId: string): string {
  return `${turnId}-end`
}

/** Gives whether there are hooks that nobody waits for. */
function tellHooks(
  turn: Turn,
  told: InputOf<typeof turnPostTurn>,
  observed: () => void,
): MaybePromise<boolean> {
  const { observers = [] } = turn.agent.table.plans.get(turnPostTurn.name) ?? {}
  const options = { isAfterwards: true, id: endIdOf(turn.id), observed }
  return chain(
    ask(turn, turnPostTurn, told, options),
    () => observers.length > 0,
  )
}

/** Hooks want to know of its end; not here, if that comes elsewhere. */
function isAwaited({ agent, signal }: Turn): boolean {
  return agent.table.plans.has(turnPostTurn.name) && !isSuspended(signal)
}

function isSubagent({ progress }: Turn): boolean {
  return progress.scope.origin === 'subagent'
}

async function tellEnd(turn: Turn, end: CoreEnd): Promise<void> {
  const { events, progress } = turn
  const { status, reply } = end
  await releaseReply(turn, end)
  if (progress.isInStep) await endStep(turn)
  await events.emit(withReason({ type: 'turn-end', status, reply }, end))
}

/** Adds why a turn ended, where there is something to say. */
function withReason<T extends object>(
  told: T & Pick<Writable<TurnResult>, 'reason' | 'error'>,
  { status, reason, error }: CoreEnd,
): T {
  if (reason !== undefined) told.reason = reason
  if (error && status === 'failed') told.error = error
  return told
}

function resultOf(
  { id: turnId, progress, tally }: Turn,
  end: CoreEnd,
  value: unknown,
): TurnResult {
  const { status, reply, stopReason } = end
  const result: Writable<TurnResult> = {
    turnId,
    status,
    reply,
    text: textOf(reply),
    usage: tally.usage,
    steps: progress.step,
  }
  if (value !== undefined) result.value = value
  if (stopReason) result.stopReason = stopReason
  return Object.freeze(withReason(result, end))
}

/** Nobody is told of a turn as it was not kept. */
function keepTurn(
  turn: Turn,
  end: CoreEnd,
  isOwed: boolean,
): MaybePromise<CoreEnd> {
  const { conversation, parts } = turn
  settleConversation(turn, end)
  return attempt(
    () => parts.store && recordEnd(turn, end, isOwed),
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

function recordEnd(
  turn: Turn,
  end: CoreEnd,
  isOwed: boolean,
): MaybePromise<void> {
  const { conversation, id: turnId, inputId, digest, progress } = turn
  const { actor } = progress.scope
  const { pending } = conversation
  const entries: JournalEntry[] = []
  if (!progress.isRecorded) entries.push(turnStart(turn))
  if (pending.length > 0) entries.push(stepCommit(turn, pending))
  const ended: Writable<TurnEnded> = {
    type: 'turn-end',
    turnId,
    status: end.status,
    summary: summaryOf(turn, end),
  }
  if (progress.prompt) ended.prompt = progress.prompt
  if (end.reason !== undefined) {
    ended.reason = cutText(end.reason, maxErrorPoints)
  }
  if (inputId !== undefined) ended.inputId = inputId
  if (digest !== undefined) ended.digest = digest
  if (actor !== undefined) ended.actor = actor
  // What a sub-agent did is told by the turn that it worked for.
  if (isOwed && !isSubagent(turn)) ended.isOwed = isOwed
  entries.push(withTaken(turn, ended))
  return journal(turn, entries)
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
  // Nothing entered that could be answered.
  if (last === undefined) return
  if (last.role !== 'assistant') {
    conversation.add({ role: 'assistant', content })
  } else if (shown.length > committed && last.content !== content) {
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
  const { id: turnId, agent, parts, progress, tally } = turn
  const { startedMs, startedAt } = turn
  const { error, stopReason } = end
  const { calls } = progress
  const summary: Writable<TurnSummary> = {
    turnId,
    model: agent.config.model,
    userPreview: preview(progress.content),
    replyPreview: preview(end.reply),
    tools: calls.slice(0, maxToolsListed),
    toolCount: calls.length,
    steps: progress.step,
    usage: tally.usage,
    startedAt,
    elapsedMs: Math.max(0, parts.clock.now() - startedMs),
  }
  if (error) summary.errorPreview = cutText(error.message, maxErrorPoints)
  if (tally.cost > 0) summary.cost = tally.cost
  if (stopReason) summary.stopReason = stopReason
  return summary
}

function preview(content: Reply): string {
  const text = textOf(content)
  return cutText(text, maxPreviewPoints)
}

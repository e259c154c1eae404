import { freezeDeep } from 'hookline'
import {
  type CompactionHint,
  type CompactionTrigger,
  compactionPost,
  compactionPre,
  type Message,
} from 'hookline/lifecycle'
import { marked } from '../prompt/marked.ts'
import { renderContext } from '../prompt/render-context.ts'
import { ask } from './ask.ts'
import { journal } from './commit.ts'
import { readContext, tellReplaced } from './edits.ts'
import { summarize } from './summarize.ts'
import type { Turn } from './turn.ts'

export type CompactionOutcome = 'done' | 'vetoed' | 'nothing'

const defaultShares = { soft: 0.7, hard: 0.85 }
const defaultKeptMessages = 6
const targetShare = 0.4

/** Whether the conversation has grown to a share of what the model can take. */
export function isOverShare(
  { agent, conversation, progress }: Turn,
  threshold: 'soft' | 'hard',
): boolean {
  const { contextTokens } = progress
  if (contextTokens === undefined) return false
  const { compaction = {} } = agent.config
  const share = compaction[`${threshold}Share`] ?? defaultShares[threshold]
  return conversation.usedTokens >= share * contextTokens
}

/** Every way to a shorter conversation; whoever watches sees its end, too. */
export async function compact(
  turn: Turn,
  trigger: CompactionTrigger,
  hint: CompactionHint = {},
): Promise<CompactionOutcome> {
  const { events } = turn
  if (events.isWatched) void events.emit({ type: 'compaction-start', trigger })
  const end = { removedCount: 0, vetoedBy: '' }
  try {
    return await shorten(turn, trigger, hint, end)
  } finally {
    tellEnd(turn, trigger, end)
  }
}

interface CompactionEnd {
  removedCount: number
  vetoedBy: string
}

/** Puts a summary in the place of the oldest messages. */
async function shorten(
  turn: Turn,
  trigger: CompactionTrigger,
  given: CompactionHint,
  end: CompactionEnd,
): Promise<CompactionOutcome> {
  const { conversation } = turn
  const maxTokens = turn.progress.contextTokens ?? conversation.usedTokens
  const pre = await ask(turn, compactionPre, {
    messages: [...conversation.shown],
    budget: {
      usedTokens: conversation.usedTokens,
      maxTokens,
      targetTokens: Math.floor(maxTokens * targetShare),
    },
    trigger,
    hint: given,
  })
  if (pre.type === 'reject') {
    end.vetoedBy = pre.by
    return 'vetoed'
  }
  tellReplaced(turn, pre.writers, {
    point: compactionPre.name,
    subject: 'compaction',
  })
  const { hint } = pre.value
  const count = countRemoved(turn, hint, trigger)
  if (count === 0) return 'nothing'
  const removed = conversation.shown.slice(0, count)
  const summary = hint.summary ?? (await summarize(turn, removed, hint))
  const about = { removedCount: count, summary, trigger }
  const post = await ask(turn, compactionPost, about)
  const { name } = compactionPost
  const context = readContext(turn, name, post.contributions)
  const replacement: Message = freezeDeep({
    role: 'user',
    content: [
      marked('summary', { of: 'the conversation so far' }, summary),
      ...context.map(renderContext),
    ],
  })
  const removedCount = conversation.keptAmong(count)
  await journal(turn, [{ type: 'compaction', removedCount, replacement }])
  conversation.compact(count, replacement)
  end.removedCount = count
  return 'done'
}

/**
 * How many of the oldest messages go: only committed ones, never a call
 * without its result, and so that something is gained.
 */
function countRemoved(
  { agent, conversation }: Turn,
  { keepMessages }: CompactionHint,
  trigger: CompactionTrigger,
): number {
  const { shown, committed } = conversation
  const wanted =
    keepMessages ?? agent.config.compaction?.keepMessages ?? defaultKeptMessages
  // What did not fit must become less, however little there is.
  const half = Math.floor(shown.length / 2)
  const kept = trigger === 'overflow' ? Math.min(wanted, half) : wanted
  let count = Math.min(committed, shown.length - kept)
  while (count > 0 && shown[count]?.role === 'tool') count--
  return count > 1 ? count : 0
}

function tellEnd(
  { events }: Turn,
  trigger: CompactionTrigger,
  { removedCount, vetoedBy }: CompactionEnd,
): void {
  if (!events.isWatched) return
  const end = { type: 'compaction-end' as const, trigger, removedCount }
  void events.emit(vetoedBy === '' ? end : { ...end, vetoedBy })
}

import type { Contributions } from 'hookline'
import {
  type EditSubject,
  type EffectivePolicy,
  type MergedEntry,
  mergeContext,
  promptContext,
  type TextBlock,
  turnPrePolicy,
} from 'hookline/lifecycle'
import { renderContext } from '../prompt/render-context.ts'
import type { Turn } from './turn.ts'

/** What a hook has changed, and where. */
interface About {
  readonly point: string
  readonly subject: EditSubject
  /** The call, the context entry or the policy that it is about. */
  readonly id?: string
}

/** Tells whoever watches that a turn begins, or goes on. */
export async function tellTurnStart(turn: Turn): Promise<void> {
  const { events, open, progress } = turn
  const { origin, turn: number = 0 } = progress.scope
  const start = { type: 'turn-start' as const, turn: number, origin }
  await events.emit(open ? { ...start, isResumed: true } : start)
}

/** Tells whoever watches which hooks have changed something. */
export function tellReplaced(
  { events }: Turn,
  writers: readonly string[],
  about: About,
): void {
  if (writers.length === 0 || !events.isWatched) return
  for (const hook of writers) {
    void events.emit({ type: 'hook-replace', hook, ...about })
  }
}

/** Tells whoever watches that a hook has kept something out, and why. */
export function tellWithheld(
  { events }: Turn,
  { by: hook, reason }: { readonly by: string; readonly reason: string },
  about: About,
): void {
  if (!events.isWatched) return
  void events.emit({ type: 'hook-withhold', hook, reason, ...about })
}

/** Tells whoever watches that a hook has put something in. */
export function tellInjected(
  { events }: Turn,
  about: About & { readonly hook: string; readonly text?: string },
): void {
  if (events.isWatched) void events.emit({ type: 'hook-inject', ...about })
}

/** Tells whoever watches which policies hooks have set, never their values. */
export function tellPolicies(
  turn: Turn,
  policies: readonly EffectivePolicy[],
): void {
  if (!turn.events.isWatched) return
  const point = turnPrePolicy.name
  for (const { hook, domain, key } of policies) {
    const id = `${domain}/${key}`
    tellInjected(turn, { hook, point, subject: 'policy', id })
  }
}

/** The context that hooks contributed at a point, within its budget. */
export function readContext(
  turn: Turn,
  point: string,
  contributions: Contributions,
): readonly MergedEntry[] {
  if (contributions.all.length === 0) return []
  const { entries } = mergeContext(
    contributions.of(promptContext),
    turn.agent.config.budgets?.context,
  )
  tellContext(turn, point, entries)
  return entries
}

/** Tells whoever watches what hooks want the model to know. */
export function tellContext(
  turn: Turn,
  point: string,
  entries: readonly MergedEntry[],
): void {
  for (const { hook, id, content: text } of entries) {
    tellInjected(turn, { hook, point, subject: 'context', id, text })
  }
}

/** Shows context before what the user said in this turn. */
export function prependContext(
  { conversation }: Turn,
  entries: readonly MergedEntry[],
): void {
  if (entries.length === 0) return
  conversation.prependUser(...splitContext(entries))
}

/** Adds context where the conversation is now. */
export function addContext(
  { conversation }: Turn,
  entries: readonly MergedEntry[],
): void {
  if (entries.length === 0) return
  conversation.addUser(...splitContext(entries))
}

/** What stays in the history, and what is shown in this turn only. */
function splitContext(
  entries: readonly MergedEntry[],
): [kept: TextBlock[], passing: TextBlock[]] {
  const kept = entries.filter(({ isDurable }) => isDurable)
  const passing = entries.filter(({ isDurable }) => !isDurable)
  return [kept.map(renderContext), passing.map(renderContext)]
}

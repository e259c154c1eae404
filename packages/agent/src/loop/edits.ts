import type { Contributions, Outcome } from 'hookline'
import {
  type EditSubject,
  type MergedEntry,
  mergeContext,
  promptContext,
  type TextBlock,
} from 'hookline/lifecycle'
import { renderContext } from '../prompt/render-context.ts'
import type { Turn } from './turn.ts'

/** Tells whoever watches which hooks have changed something. */
export function tellWriters(
  { events }: Turn,
  point: string,
  { writers }: Pick<Outcome, 'writers'>,
  subject: EditSubject,
  id?: string,
): void {
  if (writers.length === 0 || !events.isWatched) return
  for (const hook of writers) {
    const edit = { type: 'hook-replace' as const, hook, point, subject }
    void events.emit(id === undefined ? edit : { ...edit, id })
  }
}

/** Tells whoever watches that a hook has kept something out, and why. */
export function tellWithheld(
  { events }: Turn,
  point: string,
  { by, reason }: { readonly by: string; readonly reason: string },
  subject: EditSubject,
  id?: string,
): void {
  if (!events.isWatched) return
  const edit = {
    type: 'hook-withhold' as const,
    hook: by,
    point,
    subject,
    reason,
  }
  void events.emit(id === undefined ? edit : { ...edit, id })
}

/** Tells whoever watches that a hook has put something in. */
export function tellInjected(
  { events }: Turn,
  point: string,
  hook: string,
  subject: EditSubject,
  id?: string,
): void {
  if (!events.isWatched) return
  const edit = { type: 'hook-inject' as const, hook, point, subject }
  void events.emit(id === undefined ? edit : { ...edit, id })
}

/** The context that hooks contributed at a point, within its budget. */
export function readContext(
  turn: Turn,
  point: string,
  contributions: Contributions,
): readonly MergedEntry[] {
  if (contributions.all.length === 0) return []
  const { entries } = mergeContext(contributions.of(promptContext))
  tellContext(turn, point, entries)
  return entries
}

/** Tells whoever watches what hooks want the model to know. */
export function tellContext(
  { events }: Turn,
  point: string,
  entries: readonly MergedEntry[],
): void {
  if (!events.isWatched) return
  for (const { hook, id, content: text } of entries) {
    const edit = { hook, point, subject: 'context' as const, id, text }
    void events.emit({ type: 'hook-inject', ...edit })
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

import { cutText } from '../../data/cut-text.ts'
import type { JournalEntry } from '../../ports/store.ts'
import { oneLine } from '../../scan/visible-lines.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { Redactor } from '../content/redact.ts'

const maxPoints = 100

/** Whether what sessions are about is kept at all. */
export function isTitled(level: ContentLevel): boolean {
  return level !== 'none' && level !== 'metadata'
}

/** The first words of what somebody said; null where content is not kept. */
export function titleOf(
  entries: readonly JournalEntry[],
  level: ContentLevel,
  redactor: Pick<Redactor, 'data'>,
): string | null {
  if (!isTitled(level)) return null
  for (const entry of entries) {
    const content = entry.type === 'turn-start' ? (entry.content ?? []) : []
    const texts = content.map((one) => (one.type === 'text' ? one.text : ''))
    const title = shownTitle(texts.join(' '), redactor)
    if (title !== null) return title
  }
  return null
}

/** A title as it may be shown; null if nothing is left of it. */
export function shownTitle(
  text: string,
  redactor: Pick<Redactor, 'data'>,
): string | null {
  // All of it: half of a secret is not known for one. Once more as it will be
  // seen: nor is one with something between its letters that shows nothing.
  const line = oneLine(String(redactor.data(text)))
  const shown = oneLine(String(redactor.data(line)))
  return shown === '' ? null : cutText(shown, maxPoints)
}

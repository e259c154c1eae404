import { cutText } from '../../data/cut-text.ts'
import type { JournalEntry } from '../../ports/store.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { Redactor } from '../content/redact.ts'

const maxPoints = 100

/** The first words of what somebody said; null where content is not kept. */
export function titleOf(
  entries: readonly JournalEntry[],
  level: ContentLevel,
  redactor: Redactor,
): string | null {
  if (level === 'none' || level === 'metadata') return null
  for (const entry of entries) {
    const content = entry.type === 'turn-start' ? (entry.content ?? []) : []
    const texts = content.map((one) => (one.type === 'text' ? one.text : ''))
    // All of it: half of a secret is not known for one.
    const shown = String(redactor.data(texts.join(' ')))
    const words = shown.replaceAll(/\s+/gu, ' ').trim()
    if (words !== '') return cutText(words, maxPoints)
  }
  return null
}

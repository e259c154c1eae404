import type { JournalEntry } from '../../ports/store.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { Redactor } from '../content/redact.ts'

/** What may be seen of an entry without opening its payload; null if nothing. */
export function describeEntry(
  entry: JournalEntry,
  level: ContentLevel,
  redactor: Redactor,
): string | null {
  if (level === 'none') return null
  const about = aboutOf(entry)
  const shown = level === 'metadata' ? about : { ...about, content: entry }
  return JSON.stringify(redactor.data(shown))
}

/** Names, numbers and sizes, and nothing of what was said. */
function aboutOf(entry: JournalEntry): object {
  switch (entry.type) {
    case 'turn-start': {
      const { turn, origin, actor, content = [] } = entry
      return { turn, origin, actor, blocks: content.length }
    }
    case 'turn-resume':
      return { step: entry.used.step }
    case 'step-open':
      return { step: entry.step, shown: entry.tail.shown.length }
    case 'call-wait': {
      const { id, call, questions } = entry.question
      const asked = { question: id, questions: questions.length }
      return { call: call.id, tool: call.tool, ...asked }
    }
    case 'call-seal': {
      const { call, verdicts, isUngated, approvedBy } = entry
      const judged = { verdicts: verdicts.length, isUngated, approvedBy }
      return { call: call.id, tool: call.tool, seal: call.seal, ...judged }
    }
    case 'call-end': {
      const { call, result, status, elapsedMs } = entry.ended
      const error = result.isError ? result.error : undefined
      return { call: call.id, tool: call.tool, status, error, elapsedMs }
    }
    case 'step-commit':
      return { roles: entry.messages.map(({ role }) => role) }
    case 'compaction':
      return { removedCount: entry.removedCount }
    case 'turn-end': {
      const { model, steps, toolCount, elapsedMs } = entry.summary
      const { status, prompt } = entry
      return { status, model, steps, toolCount, elapsedMs, prompt }
    }
    case 'session-end':
      return { reason: entry.reason }
  }
}

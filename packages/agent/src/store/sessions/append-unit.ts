import type { JournalEntry } from '../../ports/store.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { SqlValue, Statement, Unit } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { describeEntry } from './describe-entry.ts'
import type { HeldSession } from './held-session.ts'
import { projectEntry } from './project-entry.ts'
import { titleOf } from './session-title.ts'
import { advanceSession, insertEntry, titleSession } from './statements.ts'

/** Entries and what follows from them; nothing, if the session is not ours. */
export function appendUnit(
  { info: { id }, fence }: HeldSession,
  added: { readonly entries: readonly JournalEntry[]; readonly after: number },
  { parts, content }: { parts: StoreParts; content: ContentLevel },
): Unit {
  const { entries, after } = added
  const turn = entries.findLast((entry) => entry.type === 'turn-start')
  const end = entries.findLast((entry) => entry.type === 'session-end')
  const over = end?.reason ?? null
  const title = titleOf(entries, content, parts.redactor)
  const news: SqlValue[] = [turn?.turn ?? null, title, over, over]
  const values = [entries.length, ...news, id, parts.worker, fence, after]
  const statements: Statement[] = [{ sql: advanceSession, values, expects: 1 }]
  for (const [at, entry] of entries.entries()) {
    const seq = after + at + 1
    const turnId = 'turnId' in entry ? entry.turnId : null
    const about = describeEntry(entry, content, parts.redactor)
    const payload = parts.payloads.write(entry, ['journal', id, seq])
    const row = [id, seq, entry.type, turnId, about, payload]
    statements.push({ sql: insertEntry, values: row })
    statements.push(...projectEntry(entry, id, parts))
  }
  return { name: 'session.append', statements }
}

/** What a session is called; nothing, if it is not ours. */
export function titleUnit(
  { info: { id }, fence }: HeldSession,
  title: string,
  { worker }: Pick<StoreParts, 'worker'>,
): Unit {
  const values = [title, id, worker, fence]
  const statements = [{ sql: titleSession, values, expects: 1 }]
  return { name: 'session.title', statements }
}

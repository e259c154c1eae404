import { escapeText } from '../content/escape-text.ts'
import type { AuditRecord } from './audit-record.ts'

/** One line for people; nothing in it forges a line or steers a terminal. */
export function formatAudit(record: AuditRecord): string {
  const { seq, at, kind, actor, sessionId, body } = record
  const time = Number.isFinite(at) ? new Date(at).toISOString() : '-'
  const parts = [seq, time, kind, actor ?? '-', sessionId ?? '-', body]
  return escapeText(parts.join(' '))
}

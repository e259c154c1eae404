import { createHash } from 'node:crypto'
import type { JsonValue } from 'hookline/lifecycle'
import { createRedactor } from '../../durable.ts'
import { canonicalJson } from '../../index.ts'
import type { AuditContent } from './options.ts'

/** Makes of a value what may be kept of it; undefined: nothing. */
export type Keep = (value: unknown) => JsonValue | undefined

// An entry is a line, and not a second copy of the conversation.
const maxChars = 32_768

/** How much is kept of values, by the level of each kind. */
export function createContent() {
  const redactor = createRedactor()
  const hashOf = (value: unknown) =>
    createHash('sha256').update(canonicalJson(value)).digest('hex')
  const bounded = (value: unknown): JsonValue => {
    const json = JSON.stringify(value) ?? 'null'
    if (json.length <= maxChars) return JSON.parse(json)
    return { cut: true, chars: json.length, sha256: hashOf(value) }
  }
  const levels: Readonly<Record<AuditContent, Keep>> = {
    none: () => undefined,
    hashes: (value) => ({ sha256: hashOf(value) }),
    redacted: (value) => bounded(redactor.data(value)),
    full: bounded,
  }
  return {
    keepBy: (level: AuditContent): Keep => levels[level],
    /** For reasons and errors, which are always shown. */
    text: (text: string) => redactor.text(text).slice(0, 1000),
  }
}

import type { Said } from 'hookline'
import { canonicalJson } from '../../seal/canonical-json.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { StoreParts } from '../parts.ts'
import type { RunEnd } from './run-start.ts'

/** What is kept of texts and data: without secrets, and bounded. */
export interface RunTexts {
  /** Of something that has a name; the same few come again and again. */
  name(name: string | undefined): string | null
  /** The words of its answer: they may be about what it was given. */
  reason(end: RunEnd): string | null
  /** The value of its answer and what it contributed, to be shown. */
  said(said: Said | undefined, reason: string | undefined): string | null
  failure(end: RunEnd): string | null
  diagnostics(end: RunEnd): string | null
  contributions(end: RunEnd): string | null
  /** What a run was given, to be shown. */
  content(input: unknown): string | null
  /** The same as it is. */
  payload(id: string, input: unknown): string | null
}

const maxDiagnostics = 16
const maxChars = 512
const maxReasonChars = 4_096
const maxContentChars = 65_536
const maxNames = 1_000

export function createRunTexts(
  { redactor, payloads }: StoreParts,
  level: ContentLevel,
): RunTexts {
  const names = new Map<string, string>()
  const hasMetadata = level !== 'none'
  const hasContent = level === 'redacted' || level === 'full'
  // Redacted whole, then cut: half a secret is not recognized as one.
  const shown = (value: unknown) =>
    unlessUnfit(() =>
      canonicalJson(redactor.data(value)).slice(0, maxContentChars),
    )
  const short = (text: string) => redactor.text(text).slice(0, maxChars)
  return {
    name(name) {
      if (name === undefined) return null
      const known = names.get(name)
      if (known !== undefined) return known
      const text = redactor.text(name)
      if (names.size >= maxNames) names.clear()
      names.set(name, text)
      return text
    },
    reason({ reason }) {
      if (reason === undefined || !hasContent) return null
      return redactor.text(reason).slice(0, maxReasonChars)
    },
    said(said, reason) {
      if (!hasContent || said === undefined) return null
      const { payload: value, contributed: given = [] } = said
      // Words are kept as a reason.
      const hasValue = value !== undefined && value !== reason
      if (!hasValue && given.length === 0) return null
      const answer = hasValue ? { value } : {}
      const contributed = given.map(({ kind, value: one }) => ({
        kind,
        value: one,
      }))
      return (
        shown({ ...answer, contributed }) ??
        // Some are live, such as tools, and cannot be written down.
        shown({ ...answer, contributed: [] })
      )
    },
    failure({ failure }) {
      if (failure === undefined || !hasMetadata) return null
      return redactor.text(failure.message)
    },
    diagnostics({ diagnostics = [] }) {
      if (diagnostics.length === 0 || !hasMetadata) return null
      const shown = diagnostics
        .slice(0, maxDiagnostics)
        .map(({ code, message, safeForUser }) => {
          return { code: short(code), message: short(message), safeForUser }
        })
      return JSON.stringify(shown)
    },
    contributions({ contributions = [] }) {
      if (contributions.length === 0 || !hasMetadata) return null
      return JSON.stringify(contributions)
    },
    content(input) {
      if (!hasContent || input === undefined) return null
      return shown(input)
    },
    payload(id, input) {
      if (level !== 'full' || input === undefined) return null
      return unlessUnfit(() => payloads.write(input, ['runs', id]))
    },
  }
}

/** Not everything that a hook can be given can be written down. */
function unlessUnfit(write: () => string): string | null {
  try {
    return write()
  } catch {
    return null
  }
}

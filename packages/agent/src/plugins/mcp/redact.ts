import { truncate } from 'hookline'
import { plainText } from './plain-text.ts'

/** Takes known credentials out of what is told. */
export type Redact = (text: string) => string

export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  // The longest first: one may be a part of another.
  const known = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return (text) => {
    let safe = text
    for (const form of known) safe = safe.replaceAll(form, '[secret]')
    return safe
  }
}

/**
 * Words of a server for people or models. Credentials are looked for when
 * nothing is left to take out, and before anything is cut off: what is left of
 * one would be a part of it.
 */
export function safeText(
  given: unknown,
  { redact, maxPoints }: { redact: Redact; maxPoints: number },
): string {
  if (typeof given !== 'string') return ''
  const { text, cut } = truncate(
    redact(plainText(given, given.length)),
    maxPoints,
  )
  return cut ? `${text}…` : text
}

/** The same on one line. */
export function safeLine(
  given: unknown,
  { redact, maxPoints }: { redact: Redact; maxPoints: number },
): string {
  if (typeof given !== 'string') return ''
  const line = given.replace(/\s+/g, ' ').trim()
  return safeText(line, { redact, maxPoints })
}

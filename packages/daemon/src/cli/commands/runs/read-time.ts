import { CliError } from '../../cli-error.ts'
import type { GivenOptions } from '../../given-options.ts'
import { readDuration } from '../../output/times.ts'

interface TimeOptions {
  /** Whether a span such as 2h lies before or after now. */
  readonly span: 'before' | 'after'
}

/** A moment, as a span from now or as a date; undefined: none was given. */
export function readTime(
  options: GivenOptions,
  name: string,
  { span }: TimeOptions,
): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  const ms = readDuration(text)
  const now = Date.now()
  if (ms !== undefined) {
    return Math.max(0, Math.round(span === 'after' ? now + ms : now - ms))
  }
  // A number alone would be a year, or milliseconds: nobody knows.
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (at >= 0 && span === 'after' && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text)) {
    // The daemon, and whoever reads what was said, may be somewhere else.
    const message = `"--${name}" was given "${text}", which is another moment in each time zone.`
    const hint = 'Name the zone, as in 2026-01-31T18:00Z or +01:00, or say 30m.'
    throw new CliError('usage', message, { hint })
  }
  if (at >= 0) return at
  const message = `"--${name}" takes a time such as 30m, 2h or 7d, or a date such as 2026-01-31T18:00, and was given "${text}".`
  throw new CliError('usage', message)
}

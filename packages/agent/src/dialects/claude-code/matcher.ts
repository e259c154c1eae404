import type { RegexEngine } from '../foreign-regex.ts'
import { type Matcher, readMatcher } from '../matcher.ts'

const names = /^[A-Za-z0-9_\- ,|]+$/
const fewNames = /^[A-Za-z0-9_|]+$/

/** Two events have a narrower idea of what is a list of names. */
const narrowEvents: ReadonlySet<string> = new Set([
  'FileChanged',
  'StopFailure',
])

/** Names of letters, digits, `_`, `-` and blanks stand between `|` or `,`. */
export function readClaudeMatcher(
  matcher: string | undefined,
  event: string,
  regex: RegexEngine,
): Matcher {
  return narrowEvents.has(event)
    ? readMatcher(matcher, { regex, names: fewNames })
    : readMatcher(matcher, { regex, names, between: /[|,]/ })
}

import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { fits, readMatcher } from '../matcher.ts'
import type { Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { codexNames } from './codex-call.ts'

/** Everything, a list of names, or a pattern that need only occur. */
export function compileMatcher(
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  const read = readMatcher(matcher, { regex, names: /^[A-Za-z0-9_|]+$/ })
  return (moment) => namesOf(moment)?.some((name) => fits(read, name)) ?? true
}

/** Absent where a matcher is ignored. */
function namesOf(moment: Moment): readonly string[] | undefined {
  const call = callOf(moment)
  if (call !== undefined) return codexNames(call.name)
  const subject = subjectOf(moment)
  return subject === undefined ? undefined : [subject]
}

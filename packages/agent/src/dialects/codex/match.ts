import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import type { Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { codexNames } from './codex-call.ts'

/** Everything, a list of names, or a pattern that need only occur. */
export function compileMatcher(
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  if (matcher === undefined || matcher === '' || matcher === '*') {
    return () => true
  }
  const test = /^[A-Za-z0-9_|]+$/.test(matcher)
    ? listTest(matcher.split('|'))
    : patternTest(matcher, regex)
  return (moment) => namesOf(moment)?.some(test) ?? true
}

function listTest(names: readonly string[]): (name: string) => boolean {
  return (name) => names.includes(name)
}

function patternTest(
  pattern: string,
  regex: RegexEngine,
): (name: string) => boolean {
  const compiled = regex.compile(pattern)
  return 'problem' in compiled ? () => false : compiled.test
}

/** Absent where a matcher is ignored. */
function namesOf(moment: Moment): readonly string[] | undefined {
  const call = callOf(moment)
  if (call !== undefined) return codexNames(call.name)
  const subject = subjectOf(moment)
  return subject === undefined ? undefined : [subject]
}

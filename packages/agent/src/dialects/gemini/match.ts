import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { fits, readMatcher } from '../matcher.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { inWordsOf } from '../vocabulary.ts'
import { vocabulary } from './vocabulary.ts'

/** Tools by a pattern that need only occur; the rest by the very word. */
export function compileMatcher(
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  const read = readMatcher(matcher, { regex, ifBroken: 'itself' })
  if (read.type === 'all') {
    return ({ kind, ...moment }) => kind !== 'session-start' || isBegin(moment)
  }
  return (moment) => {
    const call = moment.kind === 'notification' ? undefined : callOf(moment)
    if (call !== undefined) return fits(read, inWordsOf(vocabulary, call).name)
    if (moment.kind === 'notification') return true
    if (moment.kind === 'session-start' && !isBegin(moment)) return false
    const subject = subjectOf(moment)
    return subject === undefined || subject === matcher
  }
}

/** A shorter conversation is no new session there. */
function isBegin(moment: object): boolean {
  return !('source' in moment) || moment.source !== 'compact'
}

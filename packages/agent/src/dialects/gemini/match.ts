import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { inWordsOf } from '../vocabulary.ts'
import { vocabulary } from './vocabulary.ts'

/** Tools by a pattern that need only occur; the rest by the very word. */
export function compileMatcher(
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  if (matcher === undefined || matcher === '' || matcher === '*') {
    return ({ kind, ...moment }) => kind !== 'session-start' || isBegin(moment)
  }
  const compiled = regex.compile(matcher)
  const isMeant =
    'problem' in compiled ? (name: string) => name === matcher : compiled.test
  return (moment) => {
    const call = moment.kind === 'notification' ? undefined : callOf(moment)
    if (call !== undefined) return isMeant(inWordsOf(vocabulary, call).name)
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

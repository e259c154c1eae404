import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import type { Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { inWordsOf } from '../vocabulary.ts'
import { isClaudeName } from './moments.ts'
import { vocabulary } from './vocabulary.ts'

type NameTest = (name: string) => boolean

/**
 * A pattern has to fit the whole name. Under a name of Claude Code's a list of
 * names is compared with either product's.
 */
export function compileMatcher(
  event: string,
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  if (matcher === undefined || matcher === '') return isMeantAtAll
  const isClaudes = isClaudeName(event)
  if (isClaudes && (matcher === '*' || matcher === '**')) return isMeantAtAll
  const isList = isClaudes && /^[\w\-|]+$/.test(matcher)
  const test = isList ? listTest(matcher) : patternTest(matcher, regex)
  return (moment) => {
    if (!isMeantAtAll(moment)) return false
    const names = namesOf(moment, isClaudes, isList)
    return names === undefined || names.some(test)
  }
}

/** A shorter conversation is no new session there. */
function isMeantAtAll(moment: Moment): boolean {
  return moment.kind !== 'session-start' || moment.source !== 'compact'
}

function listTest(matcher: string): NameTest {
  const names = matcher.split('|')
  return (name) => names.includes(name)
}

function patternTest(matcher: string, regex: RegexEngine): NameTest {
  const compiled = regex.compile(`^(?:${matcher})$`)
  // An entry with a broken pattern is skipped.
  return 'problem' in compiled ? () => false : compiled.test
}

function namesOf(
  moment: Moment,
  isClaudes: boolean,
  isList: boolean,
): readonly string[] | undefined {
  if (moment.kind === 'notification') return [moment.type]
  const call = callOf(moment)
  if (call === undefined) {
    const subject = subjectOf(moment)
    return subject === undefined ? undefined : [subject]
  }
  const runtimeName = inWordsOf(vocabulary, call).name
  if (!isClaudes) return [runtimeName]
  if (!isList) return [call.name]
  return call.name === 'Agent'
    ? [runtimeName, 'Agent', 'Task']
    : [runtimeName, call.name]
}

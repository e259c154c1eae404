import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { fits, readMatcher } from '../matcher.ts'
import type { Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { inWordsOf } from '../vocabulary.ts'
import { isClaudeName } from './moments.ts'
import { vocabulary } from './vocabulary.ts'

/**
 * A pattern has to fit the whole name. Under a name of Claude Code's a list of
 * names is compared with either product's.
 */
export function compileMatcher(
  event: string,
  matcher: string | undefined,
  regex: RegexEngine,
): MomentTest {
  const isClaudes = isClaudeName(event)
  // This is no pattern, and no word for everything there.
  if (matcher === '*' && !isClaudes) return () => false
  const given = isClaudes && matcher === '**' ? '*' : matcher
  const read = readMatcher(given, {
    regex,
    isWhole: true,
    ...(isClaudes && { names: /^[\w\-|]+$/ }),
  })
  // An entry with a broken pattern is skipped, whether there is a name or not.
  if (read.type === 'invalid') return () => false
  return (moment) => {
    if (!isMeantAtAll(moment)) return false
    const names = namesOf(moment, isClaudes, read.type === 'names')
    return names === undefined || names.some((name) => fits(read, name))
  }
}

/** A shorter conversation is no new session there. */
function isMeantAtAll(moment: Moment): boolean {
  return moment.kind !== 'session-start' || moment.source !== 'compact'
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

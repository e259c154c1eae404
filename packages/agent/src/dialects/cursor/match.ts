import type { ForeignHook } from '../dialect.ts'
import type { MomentTest } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { fits, fitsSurely, readMatcher } from '../matcher.ts'
import type { AliasedCall, Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'
import { textIn } from '../read-hooks-file.ts'
import { inWordsOf, readMcpName } from '../vocabulary.ts'
import { vocabulary } from './vocabulary.ts'

/** The events that concern only some calls. */
const concerns: Readonly<Record<string, (call: AliasedCall) => boolean>> = {
  beforeShellExecution: ({ name }) => name === 'Bash',
  afterShellExecution: ({ name }) => name === 'Bash',
  beforeMCPExecution: ({ name }) => readMcpName(name) !== undefined,
  afterMCPExecution: ({ name }) => readMcpName(name) !== undefined,
  beforeReadFile: ({ name }) => name === 'Read',
  afterFileEdit: ({ name }) => edits.has(name),
}

const edits: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit'])

/** Which moments are meant, and of which of them it is certain. */
export interface MomentTests {
  readonly isMeant: MomentTest
  readonly isSurelyMeant: MomentTest
}

export function compileMatcher(
  { event, matcher }: Pick<ForeignHook, 'event' | 'matcher'>,
  regex: RegexEngine,
): MomentTests {
  const read = readMatcher(matcher, { regex, ifBroken: 'itself' })
  const testWith = (fit: typeof fits) => (moment: Moment) => {
    if (!isConcerned(event, moment)) return false
    const subject = subjectOfEvent(event, moment)
    return subject === undefined || fit(read, subject)
  }
  return { isMeant: testWith(fits), isSurelyMeant: testWith(fitsSurely) }
}

function isConcerned(event: string, moment: Moment): boolean {
  if (moment.kind === 'session-start') return moment.source !== 'compact'
  if (moment.kind === 'model-post') {
    const wanted = event === 'afterAgentThought' ? 'reasoning' : 'text'
    return moment.response.content.some(({ type }) => type === wanted)
  }
  const call = callOf(moment)
  return call === undefined || (concerns[event]?.(call) ?? true)
}

/** The text of a command, the type of a tool, or the name of what happens. */
function subjectOfEvent(event: string, moment: Moment): string | undefined {
  const call = callOf(moment)
  if (call === undefined) return subjectOf(moment)
  if (event.endsWith('ShellExecution'))
    return textIn(call.input, 'command') ?? ''
  return inWordsOf(vocabulary, call).name
}

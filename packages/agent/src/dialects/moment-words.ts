import { byKind } from './by-kind.ts'
import type { AliasedCall, Moment } from './moment.ts'

/** The call that a moment is about. */
export function callOf(moment: Moment): AliasedCall | undefined {
  return 'call' in moment ? moment.call : undefined
}

/** What most products compare a matcher with where there is no call. */
export function subjectOf(moment: Moment): string | undefined {
  return byKind<string>(moment, {
    'session-start': ({ source }) => source,
    'session-end': ({ reason }) => reason,
    notification: ({ type }) => type,
    'subagent-start': ({ agentType }) => agentType,
    'subagent-stop': ({ agentType }) => agentType,
    'compact-pre': triggerOf,
    'compact-post': triggerOf,
  })
}

/** All products know two reasons to make a conversation shorter. */
export function triggerOf({
  trigger,
}: {
  readonly trigger: string
}): 'manual' | 'auto' {
  return trigger === 'manual' ? 'manual' : 'auto'
}

import type { MaybePromise, Outcome } from 'hookline'
import { type Reply, turnError, turnOutput } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { chain } from './chain.ts'
import { tellInjected, tellReplaced, tellWithheld } from './edits.ts'
import { withoutStaleData } from './stale-data.ts'
import type { Turn } from './turn.ts'

/** Gives hooks one chance to answer in place of a turn that failed. */
export function recover(turn: Turn, end: CoreEnd): MaybePromise<CoreEnd> {
  const { status, error } = end
  if (status !== 'failed' || error === undefined) return end
  const { content } = turn.progress
  const asked = ask(turn, turnError, { content, error })
  const follow = (given: Outcome<typeof turnError>): CoreEnd => {
    if (given.type !== 'respond') return end
    const { by, output: reply } = given
    tellInjected(turn, { hook: by, point: turnError.name, subject: 'reply' })
    return { ...end, status: 'succeeded', reply, by }
  }
  return chain(asked, follow)
}

/** Has the last reply judged before anybody gets it. */
export function judgeOutput(turn: Turn, end: CoreEnd): MaybePromise<CoreEnd> {
  if (end.status !== 'succeeded' || end.reply.length === 0) return end
  const { content } = turn.progress
  const asked = ask(turn, turnOutput, { content, reply: end.reply })
  const follow = (judged: Outcome<typeof turnOutput>): CoreEnd => {
    if (judged.type !== 'reject') {
      tellReplaced(turn, judged.writers, {
        point: turnOutput.name,
        subject: 'reply',
      })
      const { reply } = judged.value
      if (reply === end.reply) return end
      return { ...end, reply: withoutStaleData(reply, end.reply) }
    }
    const { by, reason } = judged
    tellWithheld(turn, judged, { point: turnOutput.name, subject: 'reply' })
    const reply = withheldReply(reason)
    return { ...end, status: 'withheld', reply, by, reason }
  }
  return chain(asked, follow)
}

export function withheldReply(reason: string): Reply {
  return [{ type: 'text', text: `[withheld: ${reason}]` }]
}

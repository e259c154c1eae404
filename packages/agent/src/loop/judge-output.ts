import { type Reply, turnError, turnOutput } from 'hookline/lifecycle'
import type { CoreEnd } from '../ports/core.ts'
import { ask } from './ask.ts'
import { tellWithheld, tellWriters } from './edits.ts'
import type { Turn } from './turn.ts'

/** Gives hooks one chance to answer in place of a turn that failed. */
export async function recover(turn: Turn, end: CoreEnd): Promise<CoreEnd> {
  const { error } = end
  if (end.status !== 'failed' || error === undefined) return end
  const { content } = turn.progress
  const given = await ask(turn, turnError, { content, error })
  if (given.type !== 'respond') return end
  const { by, output: reply } = given
  if (turn.events.isWatched) {
    const about = { hook: by, point: turnError.name, subject: 'reply' as const }
    turn.events.emit({ type: 'hook-inject', ...about })
  }
  return { ...end, status: 'succeeded', reply, by }
}

/** Has the last reply judged before anybody gets it. */
export async function judgeOutput(turn: Turn, end: CoreEnd): Promise<CoreEnd> {
  if (end.status !== 'succeeded' || end.reply.length === 0) return end
  const { content } = turn.progress
  const judged = await ask(turn, turnOutput, { content, reply: end.reply })
  if (judged.type === 'reject') {
    const { by, reason } = judged
    tellWithheld(turn, turnOutput.name, judged, 'reply')
    return {
      ...end,
      status: 'withheld',
      reply: withheldReply(reason),
      by,
      reason,
    }
  }
  tellWriters(turn, turnOutput.name, judged, 'reply')
  return { ...end, reply: judged.value.reply }
}

export function withheldReply(reason: string): Reply {
  return [{ type: 'text', text: `[withheld: ${reason}]` }]
}

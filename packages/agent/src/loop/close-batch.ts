import type { MaybePromise, Outcome } from 'hookline'
import {
  type EndedCall,
  type MergedEntry,
  type Message,
  type ToolResultBlock,
  toolPostBatch,
} from 'hookline/lifecycle'
import { ask } from './ask.ts'
import type { Ending } from './call-flow.ts'
import { chain } from './chain.ts'
import { addContext, readContext } from './edits.ts'
import type { CallEnd } from './end-call.ts'
import type { Turn } from './turn.ts'

/** Every call has ended: adds the results, in the order of the calls. */
export function closeBatch(
  turn: Turn,
  ends: readonly CallEnd[],
  context: readonly MergedEntry[],
): MaybePromise<Ending | undefined> {
  const { conversation } = turn
  const results = ends.map(({ ended }) => ended)
  const asked = withFinalArgs(conversation.last, results)
  if (asked !== undefined) conversation.replaceLast(asked)
  const content = Object.freeze(results.map(resultBlock))
  conversation.add(Object.freeze({ role: 'tool', content }))
  const follow = (post: Outcome<typeof toolPostBatch>) => {
    const late = readContext(turn, toolPostBatch.name, post.contributions)
    addContext(turn, [...context, ...late])
    return post.type === 'endTurn' ? post : undefined
  }
  const options = { isAfterwards: true }
  const posting = ask(turn, toolPostBatch, { results }, options)
  return chain(posting, follow)
}

/** History shows the arguments that ran, not those that were asked for. */
function withFinalArgs(
  message: Message | undefined,
  results: readonly EndedCall[],
): Message | undefined {
  const changed = results.filter(({ call }) => call.originalArgs !== undefined)
  if (changed.length === 0 || message?.role !== 'assistant') return undefined
  const args = new Map(changed.map(({ call }) => [call.id, call.args]))
  const content = message.content.map((block) => {
    const final = block.type === 'tool_call' ? args.get(block.id) : undefined
    return final === undefined ? block : { ...block, args: final }
  })
  return { role: 'assistant', content }
}

function resultBlock({ call, result }: EndedCall): ToolResultBlock {
  const { content, isError } = result
  const { id: callId, tool } = call
  return Object.freeze({ type: 'tool_result', callId, tool, content, isError })
}

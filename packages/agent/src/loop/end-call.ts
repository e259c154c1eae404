import {
  type EndedCall,
  type ToolCall,
  type ToolResult,
  toolPostCall,
} from 'hookline/lifecycle'
import { ask } from './ask.ts'
import {
  type CallFlow,
  type Ending,
  failure,
  type StoppedCall,
} from './call-flow.ts'
import { journal } from './commit.ts'
import { readContext, tellWithheld, tellWriters } from './edits.ts'

/** A call that has ended, and what that means for the turn. */
export interface CallEnd {
  readonly ended: EndedCall
  readonly ending?: Ending
}

/** Shows a call's end to the hooks, the journal and whoever watches. */
export async function endCall(
  flow: CallFlow,
  stopped: StoppedCall,
  elapsedMs: number,
): Promise<CallEnd> {
  const { turn, table, scope } = flow
  const { status, result, seal } = stopped
  const call = plainCall(stopped.call)
  const { id } = call
  const input = { call, result, status, elapsedMs, ...(seal && { seal }) }
  const options = { table, scope, isAfterwards: true }
  const post = await ask(turn, toolPostCall, input, options)
  const { name } = toolPostCall
  flow.context.push(...readContext(turn, name, post.contributions))
  tellWriters(turn, name, post, 'result', id)
  const isWithheld = post.type === 'reject'
  if (isWithheld) tellWithheld(turn, name, post, 'result', id)
  const left = isWithheld ? withheld(post.reason) : post.value.result
  const ended = { call, result: left, status, elapsedMs }
  await tellEnd(flow, ended)
  const ending = post.type === 'endTurn' ? post : stopped.ending
  return ending === undefined ? { ended } : { ended, ending }
}

/** The same where the hooks have failed: what they did not judge stays here. */
export async function settleCall(
  flow: CallFlow,
  { call, status }: StoppedCall,
  elapsedMs: number,
): Promise<CallEnd> {
  const result = withheld('a hook that must not fail has failed')
  const ended = { call: plainCall(call), result, status, elapsedMs }
  await tellEnd(flow, ended)
  return { ended }
}

function withheld(reason: string): ToolResult {
  return failure('denied', `[withheld: ${reason}]`)
}

async function tellEnd({ turn }: CallFlow, ended: EndedCall): Promise<void> {
  const { call, result, status, elapsedMs } = ended
  const { id: callId, tool } = call
  await journal(turn, [{ type: 'call-end', turnId: turn.id, ended }])
  const error = result.isError ? { error: result.error } : undefined
  turn.progress.calls.push({ callId, tool, status, elapsedMs, ...error })
  if (!turn.events.isWatched) return
  const about = { callId, tool, status, result, elapsedMs }
  await turn.events.emit({ type: 'tool-end', ...about })
}

/** The call alone, without the grant and the seal that it may carry. */
function plainCall(call: ToolCall): ToolCall {
  const { id, tool, owner, args, safety, originalArgs } = call
  const plain = { id, tool, owner, args, safety }
  return originalArgs === undefined ? plain : { ...plain, originalArgs }
}

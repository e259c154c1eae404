import type { MaybePromise, Outcome } from 'hookline'
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
export function endCall(
  flow: CallFlow,
  stopped: StoppedCall,
  elapsedMs: number,
): MaybePromise<CallEnd> {
  const { turn, table, scope } = flow
  const { status, result, seal } = stopped
  const call = plainCall(stopped.call)
  const before = { call, result, status, elapsedMs }
  const input = seal === undefined ? before : { ...before, seal }
  const options = { table, scope, isAfterwards: true }
  const asked = ask(turn, toolPostCall, input, options)
  return asked instanceof Promise
    ? asked.then((post) => followHooks(flow, stopped, before, post))
    : followHooks(flow, stopped, before, asked)
}

function followHooks(
  flow: CallFlow,
  stopped: StoppedCall,
  { call, status, elapsedMs }: EndedCall,
  post: Outcome<typeof toolPostCall>,
): MaybePromise<CallEnd> {
  const { turn } = flow
  const { name } = toolPostCall
  if (post.contributions.all.length > 0) {
    flow.context.push(...readContext(turn, name, post.contributions))
  }
  tellWriters(turn, name, post, 'result', call.id)
  const isWithheld = post.type === 'reject'
  if (isWithheld) tellWithheld(turn, name, post, 'result', call.id)
  const left = isWithheld ? withheld(post.reason) : post.value.result
  const ended = { call, result: left, status, elapsedMs }
  const ending = post.type === 'endTurn' ? post : stopped.ending
  const end = ending === undefined ? { ended } : { ended, ending }
  const told = tellEnd(flow, ended)
  return told instanceof Promise ? told.then(() => end) : end
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

function tellEnd({ turn }: CallFlow, ended: EndedCall): MaybePromise<void> {
  const { call, result, status, elapsedMs } = ended
  const { id: callId, tool } = call
  const about = { callId, tool, status, elapsedMs }
  const error = result.isError ? { error: result.error } : undefined
  turn.progress.calls.push({ ...about, ...error })
  const entry = { type: 'call-end' as const, turnId: turn.id, ended }
  const kept = journal(turn, entry)
  if (!turn.events.isWatched) return kept
  const emit = () => turn.events.emit({ type: 'tool-end', ...about, result })
  return kept instanceof Promise ? kept.then(emit) : emit()
}

/** The call alone, without the grant and the seal that it may carry. */
function plainCall(call: ToolCall): ToolCall {
  const { id, tool, owner, args, safety, originalArgs } = call
  const plain = { id, tool, owner, args, safety }
  return Object.freeze(
    originalArgs === undefined ? plain : { ...plain, originalArgs },
  )
}

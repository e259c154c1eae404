import {
  freezeDeep,
  HookError,
  type MaybePromise,
  type Outcome,
} from 'hookline'
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
import { chain } from './chain.ts'
import { journal } from './commit.ts'
import { readContext, tellWithheld, tellWriters } from './edits.ts'

/** A call that has ended, and what that means for the turn. */
export interface CallEnd {
  readonly ended: EndedCall
  readonly hasBegun: boolean
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
  freezeDeep(result)
  const input = Object.freeze(seal === undefined ? before : { ...before, seal })
  const options = { table, scope, isAfterwards: true }
  const follow = (post: Outcome<typeof toolPostCall>) =>
    followHooks(flow, stopped, before, post)
  if (turn.events.isWatched && !flow.isTold) {
    const told = tellStart(flow, call)
    return told.then(() => ask(turn, toolPostCall, input, options)).then(follow)
  }
  const asked = ask(turn, toolPostCall, input, options)
  return chain(asked, follow)
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
  const { hasBegun = false } = stopped
  const end =
    ending === undefined ? { ended, hasBegun } : { ended, hasBegun, ending }
  const told = tellEnd(flow, ended)
  return told instanceof Promise ? told.then(() => end) : end
}

/** The same where the hooks have failed: what they did not judge stays here. */
export async function settleCall(
  flow: CallFlow,
  { call, status, hasBegun = false }: StoppedCall,
  elapsedMs: number,
  thrown: unknown,
): Promise<CallEnd> {
  const reason = 'a hook that must not fail has failed'
  const by = thrown instanceof HookError ? thrown.hook : undefined
  if (by !== undefined) {
    const { name } = toolPostCall
    tellWithheld(flow.turn, name, { by, reason }, 'result', call.id)
  }
  const result = withheld(reason)
  const ended = { call: plainCall(call), result, status, elapsedMs }
  await tellEnd(flow, ended)
  return { ended, hasBegun }
}

function withheld(reason: string): ToolResult {
  return failure('denied', `[withheld: ${reason}]`)
}

function tellEnd(flow: CallFlow, ended: EndedCall): MaybePromise<void> {
  const { turn } = flow
  const { call, result, status, elapsedMs } = ended
  const { id: callId, tool } = call
  const about = { callId, tool, status, elapsedMs }
  const error = result.isError ? { error: result.error } : undefined
  turn.progress.calls.push({ ...about, ...error })
  const entry = { type: 'call-end' as const, turnId: turn.id, ended }
  const kept = journal(turn, entry)
  if (!turn.events.isWatched) return kept
  return tellEvents(flow, ended, kept)
}

async function tellEvents(
  flow: CallFlow,
  { call, result, status, elapsedMs }: EndedCall,
  kept: MaybePromise<void>,
): Promise<void> {
  await kept
  if (!flow.isTold) await tellStart(flow, call)
  const about = { callId: call.id, tool: call.tool, status, elapsedMs }
  await flow.turn.events.emit({ type: 'tool-end', ...about, result })
}

/** Tells whoever watches that a call begins, as it will run. */
export async function tellStart(flow: CallFlow, call: ToolCall): Promise<void> {
  flow.isTold = true
  const told = plainCall(call)
  await flow.turn.events.emit({ type: 'tool-start', call: told })
}

/** The call alone, without the grant and the seal that it may carry. */
function plainCall(call: ToolCall): ToolCall {
  const { id, tool, owner, args, safety, originalArgs } = call
  const plain = { id, tool, owner, args, safety }
  return Object.freeze(
    originalArgs === undefined ? plain : { ...plain, originalArgs },
  )
}

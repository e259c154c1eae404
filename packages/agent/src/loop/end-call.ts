import { freezeDeep, type MaybePromise, type Outcome } from 'hookline'
import {
  type EndedCall,
  type ToolCall,
  type ToolCallStatus,
  type ToolErrorKind,
  type ToolResult,
  toolPostCall,
} from 'hookline/lifecycle'
import { hookOf } from '../data/hook-of.ts'
import type { Writable } from '../data/writable.ts'
import type { CallEnded } from '../ports/store.ts'
import { ask } from './ask.ts'
import {
  type CallFlow,
  failure,
  type StoppedCall,
  verdictsOf,
} from './call-flow.ts'
import { chain } from './chain.ts'
import { journal } from './commit.ts'
import { readContext, tellReplaced, tellWithheld } from './edits.ts'
import type { Turn } from './turn.ts'
import { spentSince } from './turn-use.ts'

/** A call that has ended, and what that means for the turn. */
export interface CallEnd {
  readonly ended: EndedCall
  readonly hasBegun: boolean
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
  const input = seal === undefined ? before : { ...before, seal }
  const options = { table, scope, isAfterwards: true, isOfFrozen: true }
  const follow = (post: Outcome<typeof toolPostCall>) =>
    followHooks(flow, stopped, before, post)
  if (turn.events.isWatched && !flow.isTold) {
    const told = tellStart(flow, call)
    // What hooks say counts at once: nothing may begin in between.
    return told.then(() =>
      chain(ask(turn, toolPostCall, input, options), follow),
    )
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
  tellReplaced(turn, post.writers, {
    point: name,
    subject: 'result',
    id: call.id,
  })
  const isWithheld = post.type === 'reject'
  if (isWithheld)
    tellWithheld(turn, post, { point: name, subject: 'result', id: call.id })
  const left = isWithheld ? withheld(status, post.reason) : post.value.result
  const ended = { call, result: left, status, elapsedMs }
  if (post.type === 'endTurn') flow.endTurn(post)
  const { hasBegun = false, ending } = stopped
  return chain(tellEnd(flow, ended, stopped), () => {
    // Not before: the calls before it have passed their gates, and begin.
    if (ending !== undefined) flow.endTurn(ending)
    return { ended, hasBegun }
  })
}

/** The same where something has failed: what was not judged stays here. */
export async function settleCall(
  flow: CallFlow,
  stopped: StoppedCall,
  elapsedMs: number,
  thrown: unknown,
): Promise<CallEnd> {
  const { turn } = flow
  const { call, status, hasBegun = false } = stopped
  const by = hookOf(thrown)
  const reason =
    by === undefined
      ? 'it could not be recorded'
      : 'a hook that must not fail has failed'
  if (by !== undefined) {
    const { name } = toolPostCall
    tellWithheld(
      turn,
      { by, reason },
      { point: name, subject: 'result', id: call.id },
    )
  }
  const result = withheld(status, reason)
  const ended = { call: plainCall(call), result, status, elapsedMs }
  // The turn fails already; that it cannot be written down is no news.
  if (by !== undefined) {
    const judged = judgementOf(flow, stopped)
    try {
      await recordEnd(turn, ended, judged)
    } catch {
      // See above.
    }
  }
  await tellEvents(flow, ended)
  return { ended, hasBegun }
}

/** A call that did not run is not told as one that did. */
const withheldKinds = {
  executed: 'withheld',
  synthesized: 'withheld',
  denied: 'denied',
  cancelled: 'cancelled',
  unknown_outcome: 'unknown_outcome',
} as const satisfies Record<ToolCallStatus, ToolErrorKind>

function withheld(status: ToolCallStatus, reason: string): ToolResult {
  return failure(withheldKinds[status], `[withheld: ${reason}]`)
}

function tellEnd(
  flow: CallFlow,
  ended: EndedCall,
  stopped: StoppedCall,
): MaybePromise<void> {
  const { turn } = flow
  const judged = judgementOf(flow, stopped)
  return chain(recordEnd(turn, ended, judged), () => {
    if (turn.events.isWatched) return tellEvents(flow, ended)
    return addSummary(turn, ended)
  })
}

type Judgement = Pick<CallEnded, 'verdicts' | 'decidedBy'>

/** Of a call that was made, the journal has the verdicts already. */
function judgementOf(
  flow: CallFlow,
  { hasBegun = false, decidedBy }: StoppedCall,
): Judgement | undefined {
  if (hasBegun) return undefined
  const verdicts = verdictsOf(flow)
  return decidedBy === undefined ? { verdicts } : { verdicts, decidedBy }
}

function recordEnd(
  turn: Turn,
  ended: EndedCall,
  judged: Judgement | undefined,
): MaybePromise<void> {
  if (turn.parts.store === undefined) return undefined
  const end: Writable<CallEnded> = { type: 'call-end', turnId: turn.id, ended }
  const spent = spentSince(turn)
  if (spent !== undefined) end.spent = spent
  return journal(turn, [judged === undefined ? end : { ...end, ...judged }])
}

export function addSummary(
  { progress }: Turn,
  { call, result, status, elapsedMs }: EndedCall,
): void {
  const summary = { callId: call.id, tool: call.tool, status, elapsedMs }
  const { isError } = result
  progress.calls.push(isError ? { ...summary, error: result.error } : summary)
}

async function tellEvents(flow: CallFlow, ended: EndedCall): Promise<void> {
  const { call, result, status, elapsedMs } = ended
  const { turn } = flow
  addSummary(turn, ended)
  if (!turn.events.isWatched) return
  if (!flow.isTold) await tellStart(flow, call)
  const about = { callId: call.id, tool: call.tool, status, elapsedMs }
  await turn.events.emit({ type: 'tool-end', ...about, result })
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

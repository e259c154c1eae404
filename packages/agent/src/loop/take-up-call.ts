import { freezeDeep, type MaybePromise } from 'hookline'
import type { EndedCall, GrantedCall, SealedCall } from 'hookline/lifecycle'
import type { CallSealed, CallWaiting, OpenCall } from '../ports/store.ts'
import { allGates } from '../seal/overtaken-gates.ts'
import { sealCall } from '../seal/seal-call.ts'
import { tableHash } from '../seal/table-hash.ts'
import {
  type CallFlow,
  failure,
  type Gated,
  type StoppedCall,
} from './call-flow.ts'
import { guardCall } from './guard-call.ts'
import type { OwnedTool } from './parts.ts'

/** How a call goes on that another process has left. */
export type TakenUp = Gated | EndedBefore | Afresh

/** It has ended there, with this. */
interface EndedBefore {
  readonly type: 'ended'
  readonly ended: EndedCall
}

/** Nothing of it counts: it is gated as if it had never been. */
interface Afresh {
  readonly type: 'afresh'
}

/** What the journal has of a call; what is left is not made any more. */
type LeftCall = OpenCall & { readonly isLeft: boolean }

const afresh: Afresh = { type: 'afresh' }

export function takeUpCall(
  flow: CallFlow,
  owned: OwnedTool | undefined,
  { ended, sealed, waiting, isLeft }: LeftCall,
): MaybePromise<TakenUp> {
  if (ended !== undefined) return { type: 'ended', ended: freezeDeep(ended) }
  if (sealed !== undefined) {
    return isLeft
      ? unknownOutcome(freezeDeep(sealed.call))
      : takeUpSealed(flow, owned, sealed)
  }
  if (waiting === undefined || isLeft) return afresh
  return takeUpWaiting(flow, owned, waiting)
}

/** It may have run. What may run twice does, if it is still the same call. */
function takeUpSealed(
  flow: CallFlow,
  owned: OwnedTool | undefined,
  { call, table, approvedBy }: CallSealed,
): MaybePromise<TakenUp> {
  const sealed = freezeDeep(call)
  const mayRepeat =
    owned?.tool.idempotent === true && isSame(flow, owned, sealed)
  if (!mayRepeat) return unknownOutcome(sealed)
  const by = approvedBy === undefined ? {} : { approvedBy }
  if (table === tableHash(flow.table)) {
    // The verdicts of then were written down, and would be the same now.
    return { type: 'passed', owned, sealed, questions: [], ...by }
  }
  return guardCall(flow, owned, unsealed(sealed), [], allGates(flow.table))
}

/** People were asked, and perhaps have answered meanwhile. */
function takeUpWaiting(
  flow: CallFlow,
  owned: OwnedTool | undefined,
  { question }: CallWaiting,
): TakenUp {
  const { id: questionId, call, questions } = freezeDeep(question)
  if (owned === undefined || !isSame(flow, owned, call)) return afresh
  return { type: 'passed', owned, sealed: call, questions, questionId }
}

/** Whether it is the call that was judged, and the tool that it was for. */
function isSame(
  { turn, scope }: CallFlow,
  { definitionHash }: OwnedTool,
  call: SealedCall,
): boolean {
  const { seal } = sealCall(unsealed(call), call.definitionHash, scope)
  if (seal !== call.seal) turn.parts.alarm('broken-seal', call.tool)
  return seal === call.seal && definitionHash === call.definitionHash
}

function unsealed(call: SealedCall): GrantedCall {
  const { seal: _, definitionHash: __, ...granted } = call
  return granted
}

export function unknownOutcome(call: SealedCall): StoppedCall {
  const why =
    'The process stopped while the call ran. Nobody knows what it has done; look before you repeat it.'
  return {
    type: 'stopped',
    call,
    seal: call.seal,
    hasBegun: true,
    status: 'unknown_outcome',
    result: failure('unknown_outcome', why),
  }
}

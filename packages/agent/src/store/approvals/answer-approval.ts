import { isSameData } from '../../data/same-data.ts'
import { StoreError } from '../store-error.ts'
import type { AnswerOutcome } from './answer-outcome.ts'
import {
  type ApprovalState,
  type Principal,
  principalName,
} from './approval.ts'
import { approvalOf, stateOf } from './approval-row.ts'
import { type Desk, type FoundApproval, find } from './desk.ts'
import { noteExpiry } from './note-expiry.ts'
import {
  type ApprovalReply,
  type ReadAnswer,
  readAnswer,
  readPrincipal,
} from './read-answer.ts'
import { checkRights, type Refusal } from './rights.ts'
import { readVotes, type Vote } from './vote.ts'
import { writeAnswer } from './write-answer.ts'

// Each conflict is a step of somebody else, and there are only a few to take.
const maxRounds = 20

/** The first answer wins, in one statement; who comes later is told of it. */
export async function answerApproval(
  desk: Desk,
  id: string,
  { reply, by }: { readonly reply: ApprovalReply; readonly by: Principal },
): Promise<AnswerOutcome> {
  const given = { answer: readAnswer(reply), by: readPrincipal(by) }
  for (let round = 0; round < maxRounds; round++) {
    const outcome = await tryAnswer(desk, id, given)
    if (outcome !== undefined) return outcome
  }
  const message = `The approval "${id}" changes faster than it can be answered.`
  throw new StoreError('busy', message)
}

interface Given {
  readonly answer: ReadAnswer
  readonly by: Principal
}

/** Undefined if somebody was faster, so that one has to look again. */
async function tryAnswer(
  desk: Desk,
  id: string,
  { answer, by }: Given,
): Promise<AnswerOutcome | undefined> {
  const found = await find(desk, id)
  if (found === undefined) return { type: 'unknown' }
  if (!found.isGenuine) return refused('tampered')
  const approval = approvalOf(found.row)
  const refusal = await checkRights(desk.settings, approval, { by, answer })
  if (refusal !== undefined) return refused(refusal)
  const votes = await readVotes(desk, found.row)
  const voter = principalName(by)
  const own = votes.find((vote) => vote.voter === voter)
  if (approval.state !== 'pending') {
    await noteExpiry(desk, found)
    return { type: lateOutcome(found, own, answer), approval }
  }
  if (own?.decision === 'allow' && answer.type === 'allow') {
    return { type: 'repeated', approval }
  }
  if (answer.shownHash !== approval.shownHash) return refused('other-shown')
  const others = votes.filter((vote) => vote !== own)
  return writeAnswer(desk, found, { answer, voter, others })
}

function refused(code: Refusal): AnswerOutcome {
  return { type: 'refused', code }
}

function lateOutcome(
  { row, payload }: FoundApproval,
  own: Vote | undefined,
  answer: ReadAnswer,
): 'repeated' | 'lost' | 'expired' | 'void' {
  const state = stateOf(row)
  if (state === 'expired' || state === 'void') return state
  const isSame =
    decisionOf(state) === answer.type &&
    own?.decision === answer.type &&
    own.lasts === answer.lasts &&
    own.covers === answer.covers &&
    isSameData(payload?.edit, answer.args)
  return isSame ? 'repeated' : 'lost'
}

function decisionOf(state: ApprovalState): ReadAnswer['type'] | undefined {
  if (state === 'approved' || state === 'used') return 'allow'
  if (state === 'edited') return 'edit'
  return state === 'denied' ? 'deny' : undefined
}

import type { Question } from 'hookline'
import {
  type PermissionDecision,
  type PermissionQuestion,
  permissionRequest,
  permissionResolved,
  type SealedCall,
  toolPreCall,
} from 'hookline/lifecycle'
import type { ApprovalAnswer } from '../ports/approvals.ts'
import { ask } from './ask.ts'
import {
  type CallFlow,
  isVerdict,
  type PassedCall,
  type StoppedCall,
  stop,
} from './call-flow.ts'
import { guardCall } from './guard-call.ts'
import { settleArgs, withArgs } from './prepare-call.ts'
import { untilAborted } from './wait.ts'

const maxEdits = 3

/** Whether people have to agree to a call. */
export function isAsked({ sealed, questions }: PassedCall): boolean {
  return questions.length > 0 || sealed.grant.decision === 'ask'
}

/** Has people agree where policy or hooks ask for it. */
export async function permitCall(
  flow: CallFlow,
  passed: PassedCall,
): Promise<PassedCall | StoppedCall> {
  let current = passed
  let questions = questionsOf(passed)
  for (let edits = 0; ; edits++) {
    const { sealed } = current
    const { decision, by } = await resolve(flow, sealed, questions)
    if (decision.type === 'allow') return { ...current, approvedBy: by }
    const { seal } = sealed
    if (decision.type === 'deny') {
      return { ...stop(sealed, 'denied', 'denied', decision.reason), seal }
    }
    if (edits === maxEdits) {
      const text = `The call was edited more than ${maxEdits} times.`
      return { ...stop(sealed, 'denied', 'denied', text), seal }
    }
    const edited = await guardEdit(flow, current, decision, by)
    if (edited.type === 'stopped') return edited
    current = edited
    // The question stands, now about the edited call.
    questions = unite(questions, questionsOf(edited))
  }
}

function questionsOf({ sealed, questions }: PassedCall): readonly Question[] {
  const { decision, reason } = sealed.grant
  if (decision !== 'ask') return questions
  const question = reason ?? `May "${sealed.tool}" run?`
  return [{ by: 'policy', question }, ...questions]
}

function unite(
  first: readonly Question[],
  second: readonly Question[],
): readonly Question[] {
  const isNew = ({ by, question }: Question) =>
    !first.some((one) => one.by === by && one.question === question)
  return [...first, ...second.filter(isNew)]
}

/** An edit is not yet a yes: it is checked, granted, sealed and judged anew. */
async function guardEdit(
  flow: CallFlow,
  { owned, sealed }: PassedCall,
  { args }: Extract<PermissionDecision, { type: 'edit' }>,
  by: string,
): Promise<PassedCall | StoppedCall> {
  const { seal: _, definitionHash: __, ...call } = sealed
  const edited = withArgs(call, args)
  const settled = await settleArgs(flow, owned, edited, by)
  if (settled.type === 'stopped') return settled
  // Every hook that let the call pass has seen another one.
  const overtaken = flow.records
    .filter((one) => isVerdict(one) && one.point === toolPreCall.name)
    .map(({ hook }) => hook)
  return guardCall(flow, owned, settled.call, [], overtaken)
}

async function resolve(
  flow: CallFlow,
  call: SealedCall,
  questions: readonly Question[],
): Promise<ApprovalAnswer> {
  const { turn, table, scope } = flow
  const { events, parts, tally } = turn
  const id = parts.nextId()
  const question: PermissionQuestion = { id, call, questions }
  if (events.isWatched) events.emit({ type: 'permission-start', question })
  tally.beginWait(parts.clock.now())
  const answer = await answerOf(flow, question).finally(() =>
    tally.endWait(parts.clock.now()),
  )
  const { decision, by } = answer
  const resolved = { ...question, decision, by }
  await ask(turn, permissionResolved, resolved, { table, scope })
  if (events.isWatched) {
    events.emit({ type: 'permission-end', questionId: id, decision, by })
  }
  return answer
}

async function answerOf(
  { turn, table, scope }: CallFlow,
  question: PermissionQuestion,
): Promise<ApprovalAnswer> {
  const { parts, agent, signal } = turn
  const given = await ask(turn, permissionRequest, question, { table, scope })
  if (given.type === 'respond') return { decision: given.output, by: given.by }
  if (parts.approvals === undefined || !agent.canAsk) {
    const reason = 'A person would have to agree, and nobody can be asked.'
    return { decision: { type: 'deny', reason }, by: 'nobody' }
  }
  const asked = parts.approvals.ask(question, {
    scope,
    signal: signal.signal,
  })
  return untilAborted(asked, signal)
}

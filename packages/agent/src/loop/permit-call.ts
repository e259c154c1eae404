import type { Question } from 'hookline'
import {
  type Actor,
  type AgentScope,
  type AnsweredBy,
  type PermissionDecision,
  type PermissionQuestion,
  permissionRequest,
  permissionResolved,
} from 'hookline/lifecycle'
import { joinActors } from '../data/join-actors.ts'
import { readDecision } from '../policy/read-decision.ts'
import type { ApprovalAnswer } from '../ports/approvals.ts'
import { allGates } from '../seal/overtaken-gates.ts'
import { ask } from './ask.ts'
import {
  byHook,
  type CallFlow,
  deny,
  type Gated,
  type PassedCall,
} from './call-flow.ts'
import { Cancellation } from './cancellation.ts'
import { journal } from './commit.ts'
import { guardCall } from './guard-call.ts'
import { joinIn } from './join-in.ts'
import { withStep } from './open-step.ts'
import { settleArgs, withArgs } from './prepare-call.ts'
import { unite } from './questions.ts'
import { isSuspended } from './suspension.ts'
import type { Turn } from './turn.ts'
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
): Promise<Gated> {
  let current = passed
  let asked = passed.questionId
  const isTakenUp = asked !== undefined
  // What people were asked before has all the questions in it.
  let questions = asked ? passed.questions : questionsOf(passed)
  let { scope } = flow
  for (let edits = 0; ; edits++) {
    const { sealed } = current
    const id = asked ?? flow.turn.parts.nextId()
    asked = undefined
    const question: PermissionQuestion = { id, call: sealed, questions }
    const answer = await resolve({ ...flow, scope }, question)
    const { decision, by, approvalId, actor } = answer
    joinIn(flow.turn, actor)
    if (by.kind === 'nobody') {
      const { kind } = by
      return deny(sealed, refusalOf(decision), { kind })
    }
    if (decision.type === 'allow') {
      const again = await guardAgain(flow, current, isTakenUp)
      if (again.type === 'stopped') return again
      const more = unite(questions, questionsOf(again))
      const isSame = again.sealed.seal === sealed.seal
      if (isSame && more.length === questions.length) {
        const agreed = { ...again, approvedBy: by }
        return approvalId === undefined ? agreed : { ...agreed, approvalId }
      }
      if (edits === maxEdits) {
        const text = `The call was another one, or asked about anew, after each of ${maxEdits} answers.`
        return deny(sealed, text, by)
      }
      current = again
      questions = more
      continue
    }
    if (decision.type === 'deny') {
      return deny(sealed, decision.reason, by)
    }
    if (edits === maxEdits) {
      const text = `The call was edited more than ${maxEdits} times.`
      return deny(sealed, text, by)
    }
    const edited = await guardEdit(flow, current, decision, by.name)
    if (edited.type === 'stopped') return edited
    current = edited
    scope = askedFor(scope, actor)
    // The question stands, now about the edited call.
    questions = unite(questions, questionsOf(edited))
  }
}

/** Whoever changes a call asks for it as it is then. */
function askedFor(scope: AgentScope, by: Actor | undefined): AgentScope {
  const actor = joinActors(scope.actor, by)
  return actor === undefined ? scope : { ...scope, actor }
}

function questionsOf({ sealed, questions }: PassedCall): readonly Question[] {
  const { decision, reason } = sealed.grant
  if (decision !== 'ask') return questions
  const question = reason ?? `May "${sealed.tool}" run?`
  return [{ by: 'policy', question }, ...questions]
}

/** The world may have changed while a person was thinking. */
async function guardAgain(
  flow: CallFlow,
  { owned, sealed }: PassedCall,
  isTakenUp: boolean,
): Promise<Gated> {
  const { seal: _, definitionHash: __, ...call } = sealed
  const settled = await settleArgs(flow, owned, call)
  if (settled.type === 'stopped') return settled
  // Those of this process have not seen what another one has asked about.
  const unasked = isTakenUp ? allGates(flow.table) : []
  return guardCall(flow, owned, settled.call, [], unasked)
}

/** An edit is not yet a yes: it is checked, granted, sealed and judged anew. */
async function guardEdit(
  flow: CallFlow,
  { owned, sealed }: PassedCall,
  { args }: Extract<PermissionDecision, { type: 'edit' }>,
  by: string,
): Promise<Gated> {
  const { seal: _, definitionHash: __, ...call } = sealed
  const edited = withArgs(call, args)
  const settled = await settleArgs(flow, owned, edited, by)
  if (settled.type === 'stopped') return settled
  // Every hook that let the call pass has seen another one.
  return guardCall(flow, owned, settled.call, [], allGates(flow.table))
}

/** An answer, and whether a hook, a person or nobody gave it. */
interface GivenAnswer extends Omit<ApprovalAnswer, 'by' | 'isUnanswered'> {
  readonly by: AnsweredBy
}

async function resolve(
  flow: CallFlow,
  question: PermissionQuestion,
): Promise<GivenAnswer> {
  const { events, signal } = flow.turn
  if (events.isWatched) {
    await events.emit({ type: 'permission-start', question })
  }
  let answer: GivenAnswer
  try {
    const given = await waitFor(flow, question)
    answer = { ...given, decision: readable(given) }
  } catch (thrown) {
    // A question that is suspended stands: whoever goes on puts it again.
    if (!isSuspended(signal)) await tellResolved(flow, question, withdrawn)
    throw thrown
  }
  await tellResolved(flow, question, answer)
  return answer
}

/** Nobody answered, and nobody waits for an answer any more. */
const withdrawn: GivenAnswer = Object.freeze({
  decision: Object.freeze({
    type: 'deny',
    reason: 'The question was dropped before anybody answered.',
  }),
  by: Object.freeze({ kind: 'nobody', because: 'withdrawn' }),
})

/** Every question that was put has an end, for hooks and for whoever watches. */
async function tellResolved(
  { turn, table, scope }: CallFlow,
  question: PermissionQuestion,
  { decision, by }: GivenAnswer,
): Promise<void> {
  const { events } = turn
  const resolved = { ...question, decision, by }
  const options = { table, scope, isAfterwards: true }
  try {
    await ask(turn, permissionResolved, resolved, options)
  } finally {
    const end = { questionId: question.id, decision, by }
    if (events.isWatched) void events.emit({ type: 'permission-end', ...end })
  }
}

/** The time that people take is not the agent's. */
async function waitFor(
  flow: CallFlow,
  question: PermissionQuestion,
): Promise<GivenAnswer> {
  const { tally, parts } = flow.turn
  tally.beginWait(parts.clock.now(), 'permission')
  try {
    return await answerOf(flow, question)
  } finally {
    tally.endWait(parts.clock.now(), 'permission')
  }
}

/** An answer that is none agrees to nothing. */
function readable({ decision, by }: GivenAnswer): PermissionDecision {
  try {
    const read = readDecision(decision)
    if (by.kind !== 'nobody' || read.type === 'deny') return read
  } catch {
    // As it is said below.
  }
  return { type: 'deny', reason: noAnswer }
}

const noAnswer = 'The answer to the question was none.'

function refusalOf(decision: PermissionDecision): string {
  return decision.type === 'deny' ? decision.reason : noAnswer
}

/** Whoever goes on after a crash puts the same question. */
async function recordWait(
  turn: Turn,
  question: PermissionQuestion,
): Promise<void> {
  const waiting = { type: 'call-wait' as const, turnId: turn.id, question }
  if (turn.parts.store) await journal(turn, withStep(turn, waiting))
}

async function answerOf(
  { turn, table, scope, step }: CallFlow,
  question: PermissionQuestion,
): Promise<GivenAnswer> {
  const { parts, signal } = turn
  const given = await ask(turn, permissionRequest, question, { table, scope })
  if (given.type === 'respond') {
    const { output: decision, by } = given
    return { decision, by: byHook(by) }
  }
  if (parts.approvals === undefined) {
    const reason =
      'A person would have to agree, and nobody can be asked: there are no approvals.'
    const decision = { type: 'deny' as const, reason }
    return { decision, by: { kind: 'nobody', because: 'unasked' } }
  }
  await recordWait(turn, question)
  const either = new Cancellation()
  const forget = [either.follow(signal), either.follow(step)]
  try {
    const options = { scope, signal: either.signal }
    const asked = parts.approvals.ask(question, options)
    return fromPeople(await untilAborted(asked, either))
  } finally {
    for (const stop of forget) stop()
  }
}

function fromPeople(answer: ApprovalAnswer): GivenAnswer {
  const { by: name, isUnanswered = false, ...rest } = answer
  const by: AnsweredBy = isUnanswered
    ? { kind: 'nobody', because: 'unanswered' }
    : { kind: 'person', name }
  return { ...rest, by }
}

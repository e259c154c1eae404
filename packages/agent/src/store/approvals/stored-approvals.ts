import type { JsonObject, PermissionQuestion } from 'hookline/lifecycle'
import type { ApprovalsPort, AskOptions } from '../../ports/approvals.ts'
import type { PolicyPort } from '../../ports/policy.ts'
import type { StoreParts } from '../parts.ts'
import { answerApproval } from './answer-approval.ts'
import {
  answerMany,
  type ManyOutcome,
  type ManyReplies,
} from './answer-many.ts'
import type { StoredAnswer } from './answer-of.ts'
import type { AnswerOutcome } from './answer-outcome.ts'
import type { Approval, Principal } from './approval.ts'
import { approvalOf } from './approval-row.ts'
import { ApprovalWatch } from './approval-watch.ts'
import { askApproval } from './ask-approval.ts'
import { type Desk, find } from './desk.ts'
import {
  type Swept,
  sweepApprovals,
  type Voided,
  voidApprovals,
} from './end-approvals.ts'
import {
  type ApprovalPage,
  countApprovals,
  listAnsweredApprovals,
  listApprovals,
  type PageOptions,
} from './list-approvals.ts'
import { createMacs } from './macs.ts'
import { readOptions, type StoredApprovalsOptions } from './options.ts'
import { type ApprovalReply, readAnswer } from './read-answer.ts'
import { checkRights, type Refusal } from './rights.ts'
import { listRules, type RulePage, revokeRule } from './rules.ts'
import { rulesPolicy } from './rules-policy.ts'
import { listOpen, listWaiting } from './statements.ts'
import {
  consumeApproval,
  type UseOutcome,
  verifyApproval,
} from './use-approval.ts'

/**
 * Approvals that outlive the process: they can be answered days later, from
 * another machine, once. What nobody answers is denied.
 */
export interface StoredApprovals extends ApprovalsPort {
  readonly isDurable: true
  /** As the port says. Asked again with the same id, it goes on waiting. */
  ask(question: PermissionQuestion, options: AskOptions): Promise<StoredAnswer>
  /** The questions that can be answered, by their ids. */
  pending(options?: PageOptions): Promise<ApprovalPage>
  /** Those that were agreed to and wait for whoever can run the call. */
  unused(options?: PageOptions): Promise<ApprovalPage>
  /** The history: those that can no longer be answered, the newest first. */
  answered(options?: PageOptions): Promise<ApprovalPage>
  /** How many can be answered; more than a thousand are not counted. */
  count(sessionId?: string): Promise<number>
  get(id: string): Promise<Approval | undefined>
  /** The exact arguments, with all secrets, for whoever wants to change them. */
  args(id: string): Promise<JsonObject | undefined>
  /** Why a plain yes of somebody would not count; undefined: it would. */
  refusal(approval: Approval, by: Principal): Promise<Refusal | undefined>
  /** The first answer wins. A malformed one throws, and changes nothing. */
  answer(
    id: string,
    reply: ApprovalReply,
    by: Principal,
  ): Promise<AnswerOutcome>
  /** The same answer to many questions, each for itself. */
  answerMany(
    replies: ManyReplies,
    by: Principal,
  ): Promise<readonly ManyOutcome[]>
  /** Calls back for every question that is put here, once it can be answered. */
  onAsked(listener: (approval: Approval) => void): () => void
  /** Ends what is open or was not used; returns how many that were. */
  void(what: Voided, reason: string): Promise<number>
  /** Writes down what has expired, and what a restore has made void. */
  sweep(): Promise<Swept>
  /** Whether that call may run by that approval. */
  verify(id: string, seal: string): Promise<UseOutcome>
  /** Uses an approval up for its call: of all who try, one gets `valid`. */
  consume(id: string, seal: string): Promise<UseOutcome>
  /** A policy that heeds what was allowed for a session, or always. */
  policy(inner: PolicyPort): PolicyPort
  rules(options?: Omit<PageOptions, 'sessionId'>): Promise<RulePage>
  /** Whether there was such a rule. */
  revokeRule(id: string, by: Principal): Promise<boolean>
  /** Questions stay open; who waits here for answers is told to go. */
  close(): Promise<void>
}

export function createStoredApprovals(
  parts: StoreParts,
  options: StoredApprovalsOptions = {},
): StoredApprovals {
  const settings = readOptions(options)
  const { alarm, pollMs } = settings
  const watch = new ApprovalWatch(parts, {
    pollMs,
    onError: (error) => alarm({ type: 'failed', doing: 'poll', error }),
  })
  const listeners: Desk['listeners'] = new Set()
  const macs = createMacs(options.key)
  const desk: Desk = { parts, macs, settings, watch, listeners }
  return {
    isDurable: true,
    ask: (question, asked) => askApproval(desk, question, asked),
    pending: (page) => listApprovals(desk, listOpen, page),
    unused: (page) => listApprovals(desk, listWaiting, page),
    answered: (page) => listAnsweredApprovals(desk, page),
    count: (sessionId) => countApprovals(desk, sessionId),
    async get(id) {
      const found = await find(desk, id)
      return found?.isGenuine ? approvalOf(found.row) : undefined
    },
    async args(id) {
      const found = await find(desk, id)
      return found?.isGenuine ? found.payload?.call?.args : undefined
    },
    refusal: (approval, by) => {
      const { shownHash } = approval
      const answer = readAnswer({ type: 'allow', shownHash })
      return checkRights(settings, approval, { by, answer })
    },
    answer: (id, reply, by) => answerApproval(desk, id, { reply, by }),
    answerMany: (replies, by) => answerMany(desk, replies, by),
    onAsked(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    void: (what, reason) => voidApprovals(desk, what, reason),
    sweep: () => sweepApprovals(desk),
    verify: (id, seal) => verifyApproval(desk, id, seal),
    consume: (id, seal) => consumeApproval(desk, id, seal),
    policy: (inner) => rulesPolicy(desk, inner),
    rules: (page) => listRules(desk, page),
    revokeRule: (id, by) => revokeRule(desk, id, by),
    close: () => watch.close(),
  }
}

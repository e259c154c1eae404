import type {
  AnswerOutcome,
  Approval,
  ApprovalReply,
  Principal,
  Refusal,
} from '@hookline/agent/durable'
import type { JsonObject } from 'hookline/lifecycle'
import type { CallContext, Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { NoticeData, NoticeName } from '../protocol/notices.ts'
import type { InputOf, OutputOf } from '../protocol/operations.ts'
import type { ListedApproval } from '../protocol/schemas/approvals.ts'
import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import {
  hookVisibility,
  seesAll,
  shownCall,
  shownQuestions,
} from '../service/visible-hooks.ts'
import { nameOf, needRoom, recordAudit } from './record-audit.ts'

type ApprovalOperations = Pick<
  OperationService,
  | 'listApprovals'
  | 'getApproval'
  | 'answerApproval'
  | 'listRules'
  | 'revokeRule'
>

/** A page of the store holds no more. */
const maxPage = 200

export function approvalOperations(workspace: Workspace): ApprovalOperations {
  const { approvals } = workspace.store
  return {
    async listApprovals(
      { limit = 50, after, sessionId, state, withCount },
      { caller },
    ) {
      const wanted = {
        limit: Math.min(limit, maxPage),
        ...(after !== undefined && { after }),
        ...(sessionId !== undefined && { sessionId }),
      }
      const page =
        state === 'answered'
          ? await approvals.answered(wanted)
          : await approvals.pending(wanted)
      const items = page.items.map((one) => listed(workspace, one, caller))
      if (!withCount) return { ...page, items }
      return { ...page, items, count: await approvals.count(sessionId) }
    },
    async getApproval({ approvalId, withArgs = false }, { caller }) {
      const approval = await approvals.get(approvalId)
      if (approval === undefined) throw noApproval(approvalId)
      const args = withArgs
        ? await argsFor(workspace, approvalId, caller)
        : undefined
      const about = aboutTool(workspace, approval)
      const refusal = await refusalFor(workspace, approval, caller)
      return {
        ...listed(workspace, approval, caller),
        ...(args !== undefined && { args }),
        ...(about !== undefined && { about }),
        ...(refusal !== undefined && { refusal }),
      }
    },
    async answerApproval(input, context) {
      const { approvalId, shownHash } = input
      needRoom(workspace)
      const by = principalOf(context)
      const outcome = await approvals.answer(approvalId, replyOf(input), by)
      if (outcome.type === 'unknown') throw noApproval(approvalId)
      await record(workspace, context, { input, outcome })
      if (outcome.type !== 'refused') {
        tell(workspace, context, outcome)
        const approval = listed(workspace, outcome.approval, context.caller)
        return { type: outcome.type, approval }
      }
      const { type, code } = outcome
      return { type, code, message: whyRefused(code, shownHash) }
    },
    async listRules({ limit = 50, after }) {
      const { items, next } = await approvals.rules({
        limit: Math.min(limit, maxPage),
        ...(after !== undefined && { after }),
      })
      return {
        items: items.map((rule) => ({ ...rule })),
        ...(next !== undefined && { next }),
      }
    },
    async revokeRule({ ruleId }, context) {
      needRoom(workspace)
      const wasThere = await approvals.revokeRule(ruleId, principalOf(context))
      if (wasThere) {
        const entry = { kind: 'rule.revoked', body: { ruleId } }
        await recordAudit(workspace, context, entry)
        const data = { ruleId, by: nameOf(context.caller) }
        notice(workspace, 'approval-rule-revoked', data)
      }
      return { wasThere }
    },
  }
}

/** Who answers is who was let in, whatever a request says. */
function principalOf({ caller }: Pick<CallContext, 'caller'>): Principal {
  return { kind: caller.kind, id: caller.id }
}

/** What is asked is for whoever answers; who asks, only where they may see it. */
function listed(
  { runtime }: Workspace,
  approval: Approval,
  caller: Caller,
): ListedApproval {
  const isVisible = seesAll(caller) ? () => true : hookVisibility(runtime)
  const told = shownQuestions(approval.questions, isVisible)
  return {
    ...approval,
    shown: shownCall(approval.shown, isVisible),
    questions: told.map((question) => ({ ...question })),
    requestedBy: [...approval.requestedBy],
  }
}

/** The exact arguments have all secrets: for who may agree to them. */
async function argsFor(
  { store }: Workspace,
  id: string,
  { rights, id: name }: Caller,
): Promise<JsonObject | undefined> {
  if (rights.has('approve')) return await store.approvals.args(id)
  const message = `Only those with the right to approve see the exact arguments; "${name}" does not have it.`
  throw new ProtocolError('not-allowed', message)
}

/** The tool as an agent here has it: others may have it elsewhere. */
function aboutTool(
  { runtime }: Workspace,
  { agent, tool: wanted }: Approval,
): OutputOf<'getApproval'>['about'] {
  if (!runtime.agents.some(({ name }) => name === agent)) return undefined
  const found = runtime.toolsOf(agent).find(({ name }) => name === wanted)
  if (found === undefined) return undefined
  const { name: _, ...about } = found
  return about
}

/** Said before somebody tries, not only after. */
async function refusalFor(
  { store }: Workspace,
  approval: Approval,
  caller: Caller,
): Promise<OutputOf<'getApproval'>['refusal']> {
  if (approval.state !== 'pending') return undefined
  const code = caller.rights.has('approve')
    ? await store.approvals.refusal(approval, principalOf({ caller }))
    : 'no-right'
  if (code === undefined) return undefined
  return { code, message: whyRefused(code, approval.shownHash) }
}

type Input = InputOf<'answerApproval'>

function replyOf(input: Input): ApprovalReply {
  const { type, shownHash, reason, lasts, covers, args } = input
  const common = { shownHash, ...(reason !== undefined && { reason }) }
  // What does not go together is refused by whoever reads it, in these words.
  const more = {
    ...(lasts !== undefined && { lasts }),
    ...(covers !== undefined && { covers }),
    // It came as JSON.
    ...(args !== undefined && { args: args as JsonObject }),
  }
  return { ...common, ...more, type } as ApprovalReply
}

/** Also what came to nothing: who tried to approve what they had asked for. */
async function record(
  workspace: Workspace,
  context: CallContext,
  {
    input,
    outcome,
  }: {
    readonly input: Input
    readonly outcome: Exclude<AnswerOutcome, { readonly type: 'unknown' }>
  },
): Promise<void> {
  const { approvalId, type, reason } = input
  const isRefused = outcome.type === 'refused'
  const about = isRefused
    ? { refusal: outcome.code }
    : aboutApproval(outcome.approval)
  await recordAudit(workspace, context, {
    kind: `approval.${outcome.type}`,
    ...(!isRefused && { sessionId: outcome.approval.sessionId }),
    body: {
      approvalId,
      answer: type,
      ...(reason !== undefined && { reason }),
      ...about,
    },
  })
}

/** Those who have the question before them see that it is no longer open. */
function tell(
  workspace: Workspace,
  { caller }: CallContext,
  { type, approval }: Extract<AnswerOutcome, { readonly approval: Approval }>,
): void {
  if (type !== 'accepted' && type !== 'counted') return
  const { id: approvalId, callId, state, votes, sessionId } = approval
  const data = { approvalId, callId, state, votes, by: nameOf(caller) }
  notice(workspace, 'approval-answered', data, sessionId)
}

function notice<Name extends NoticeName>(
  { store, log }: Workspace,
  name: Name,
  data: NoticeData<Name>,
  sessionId?: string,
): void {
  store.events
    .notice(name, data, sessionId === undefined ? {} : { sessionId })
    .catch((error: unknown) => log.error('notice-failed', { error }))
}

function aboutApproval(approval: Approval): JsonObject {
  const { turnId, callId, agent, tool, seal, state } = approval
  const requestedBy = [...approval.requestedBy]
  return { turnId, callId, agent, tool, seal, requestedBy, state }
}

function noApproval(id: string): ProtocolError {
  const message = `There is no approval "${id}"; "hookline approvals list" says which can be answered.`
  return new ProtocolError('not-found', message)
}

function whyRefused(code: Refusal, shownHash: string): string {
  switch (code) {
    case 'own-question':
      return 'Nobody agrees to what they have asked for; somebody else has to.'
    case 'no-right':
      return 'You may not give this answer; somebody else has to.'
    case 'other-shown':
      return `What is asked is not what was shown as ${shownHash}; look at it again, and answer that.`
    case 'tampered':
      return 'Somebody has changed this approval in the database; it counts for nothing.'
    case 'no-content':
      return 'What was exact about the call is gone, so that no rule can be made of it; allow it once.'
  }
}

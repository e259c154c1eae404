import { z } from 'zod'
import {
  answered,
  approvalState,
  covers,
  decision,
  lasts,
  refusalCode,
  safety,
} from './closed-sets.ts'
import { callId, id, jsonObject, page, pageOf, time } from './common.ts'
import { questions } from './questions.ts'

const reason = z.string().max(4_000).optional()

const approval = z.object({
  id,
  sessionId: id,
  turnId: id,
  callId,
  agent: z.string(),
  cwd: z.string(),
  tool: z.string(),
  seal: z.string(),
  /** What whoever answers is shown, to be shown as it is. */
  shown: z.string(),
  /** Over what is shown and what will run; an answer has to name it. */
  shownHash: z.string(),
  /** Something was too long to be shown whole. */
  isCut: z.boolean(),
  questions: z.array(z.object({ by: z.string(), question: z.string() })),
  approvers: z.number().int(),
  votes: z.number().int(),
  /** All on whose behalf the call is. */
  requestedBy: z.array(z.string()),
  state: approvalState,
  askedAt: time,
  expiresAt: time,
  decidedAt: time.optional(),
  decidedBy: z.string().optional(),
  reason: z.string().optional(),
  lasts: lasts.optional(),
  usedAt: time.optional(),
})

export type ListedApproval = z.infer<typeof approval>

/** What need not be asked again: for one session, or always. */
const rule = z.object({
  id,
  /** Absent where it is for all sessions. */
  sessionId: id.optional(),
  agent: z.string(),
  cwd: z.string(),
  tool: z.string(),
  covers,
  createdBy: z.string(),
  createdAt: time,
  /** The question that it was an answer to. */
  approvalId: id,
})

const answer = z.object({
  id: z.string().max(100),
  selected: z.array(z.string().max(1_000)).max(100).optional(),
  text: z.string().max(100_000).optional(),
})

const pendingQuestions = z.object({
  sessionId: id,
  callId,
  agent: z.string(),
  questions,
})

export const approvals = {
  listApprovals: {
    input: z.strictObject({
      ...page,
      sessionId: id.optional(),
      /** `pending`, the default, or `answered`: the history, the newest first. */
      state: z.enum(['pending', 'answered']).optional(),
      /** Count all that wait, not only those of this page. */
      withCount: z.boolean().optional(),
    }),
    output: pageOf(approval).extend({
      /** How many wait; more than a thousand are not counted. */
      count: z.number().int().optional(),
    }),
  },
  getApproval: {
    input: z.strictObject({
      approvalId: id,
      /** For who may approve, and wants to change them. */
      withArgs: z.boolean().optional(),
    }),
    output: approval.extend({
      /** Exact, with all secrets; absent where they are not kept any more. */
      args: jsonObject.optional(),
      /** What the tool is; absent where no agent here has it. */
      about: z
        .object({
          description: z.string(),
          owner: z.string(),
          safety,
          /** A JSON Schema of its arguments. */
          inputSchema: jsonObject,
        })
        .optional(),
      /** Why a yes of whoever asks would not count; absent: it would. */
      refusal: z.object({ code: refusalCode, message: z.string() }).optional(),
    }),
  },
  answerApproval: {
    input: z.strictObject({
      approvalId: id,
      type: decision,
      shownHash: z.string().max(200),
      reason,
      lasts: lasts.optional(),
      covers: covers.optional(),
      /** The arguments as they are to be, for `edit`. */
      args: jsonObject.optional(),
    }),
    output: z.object({
      type: answered,
      /** Why it was refused, as a word, and as a sentence. */
      code: refusalCode.optional(),
      message: z.string().optional(),
      approval: approval.optional(),
    }),
  },
  listRules: { input: z.strictObject(page), output: pageOf(rule) },
  revokeRule: {
    input: z.strictObject({ ruleId: id }),
    output: z.object({ wasThere: z.boolean() }),
  },
  listQuestions: {
    input: z.strictObject({ sessionId: id.optional() }),
    output: z.object({ items: z.array(pendingQuestions) }),
  },
  answerQuestions: {
    input: z.strictObject({
      sessionId: id,
      callId,
      /** Absent: they are dismissed. */
      answers: z.array(answer).max(20).optional(),
      reason,
    }),
    output: z.object({
      type: z.enum(['accepted', 'early', 'late', 'invalid']),
      problem: z.string().optional(),
    }),
  },
}

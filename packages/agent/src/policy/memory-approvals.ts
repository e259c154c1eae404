import { type Clock, systemClock } from 'hookline'
import type { PermissionDecision } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { ApprovalAnswer, ApprovalsPort } from '../ports/approvals.ts'
import {
  type OpenQuestion,
  openQuestion,
  type PendingApproval,
} from './open-question.ts'
import { readDecision } from './read-decision.ts'
import { RecentEndings } from './recent-endings.ts'

export interface MemoryApprovalsOptions {
  /** How long a question waits before it is denied. Default: half an hour. */
  readonly expiresMs?: number
  readonly clock?: Clock
  /** Told of each question once it is open; it may answer at once. */
  readonly onQuestion?: (pending: PendingApproval) => void
}

/**
 * What became of an answer: it counts; another one did; it came too late; or
 * nobody asks that, or no longer wants to know.
 */
export type AnswerOutcome = 'accepted' | 'answered' | 'expired' | 'unknown'

/** The approvals of one process; they end with it. */
export interface MemoryApprovals extends ApprovalsPort {
  /** The open questions, the oldest first. */
  pending(): readonly PendingApproval[]
  /** The first answer to a question wins; a malformed one throws. */
  answer(
    questionId: string,
    decision: PermissionDecision,
    by: string,
  ): AnswerOutcome
}

const rememberedEndings = 1_000

export function createMemoryApprovals(
  options: MemoryApprovalsOptions = {},
): MemoryApprovals {
  const { expiresMs = 1_800_000, clock = systemClock, onQuestion } = options
  if (!(Number.isFinite(expiresMs) && expiresMs > 0)) {
    const message = 'The `expiresMs` of approvals is not a positive number.'
    throw new AgentError('invalid-config', message)
  }
  const open = new Map<string, OpenQuestion>()
  const endings = new RecentEndings<'answered' | 'expired'>(rememberedEndings)
  return {
    async ask(question, { scope, signal }) {
      signal.throwIfAborted()
      const { id } = question
      if (open.has(id)) return repeatedAnswer
      const now = clock.now()
      const askedAt = clock.wallAt(now)
      const expiresAt = askedAt + expiresMs
      const pending = Object.freeze({ question, scope, askedAt, expiresAt })
      const waiting = openQuestion(pending, {
        clock,
        dueAt: now + expiresMs,
        signal,
        onEnd(ending) {
          open.delete(id)
          if (ending !== 'withdrawn') endings.add(id, ending)
        },
      })
      open.set(id, waiting)
      endings.forget(id)
      try {
        onQuestion?.(pending)
      } catch (error) {
        // Perhaps nobody has heard of the question, so nobody would answer.
        waiting.fail(error)
      }
      return waiting.answered
    },
    pending: () => Object.freeze([...open.values()].map((one) => one.pending)),
    answer(questionId, decision, by) {
      const read = readDecision(decision)
      const waiting = open.get(questionId)
      if (waiting === undefined) return endings.get(questionId) ?? 'unknown'
      if (waiting.isDue()) {
        waiting.expire()
        return 'expired'
      }
      waiting.answer(Object.freeze({ decision: read, by }))
      return 'accepted'
    },
  }
}

// Whoever answers would not know which of the two calls they agree to.
const repeatedAnswer: ApprovalAnswer = Object.freeze({
  decision: Object.freeze({
    type: 'deny',
    reason: 'A question with the same id is open already, so this is denied.',
  }),
  by: 'approvals',
  isUnanswered: true,
})

import type { Clock } from 'hookline'
import type { AgentScope, PermissionQuestion } from 'hookline/lifecycle'
import type { ApprovalAnswer } from '../ports/approvals.ts'
import { wakeAt } from './wake-at.ts'

/** A question that somebody can answer. */
export interface PendingApproval {
  readonly question: PermissionQuestion
  readonly scope: AgentScope
  /** Wall time in milliseconds since 1970, as is the next. */
  readonly askedAt: number
  readonly expiresAt: number
}

/** How a question ended, as far as answers that come later are told. */
type Ending = 'answered' | 'expired' | 'withdrawn'

export interface OpenQuestion {
  readonly pending: PendingApproval
  /** Rejects with the signal's reason: a cancelled question is no denial. */
  readonly answered: Promise<ApprovalAnswer>
  /** Whether its time is over, even if its timer had no turn yet. */
  isDue(): boolean
  answer(answer: ApprovalAnswer): void
  expire(): void
  fail(error: unknown): void
}

export interface OpenOptions {
  readonly clock: Clock
  /** On the clock, not on the wall. */
  readonly dueAt: number
  readonly signal: AbortSignal
  /** Called once, before whoever asked is told. */
  readonly onEnd: (ending: Ending) => void
}

/** Opens a question. It ends once, and leaves no timer and no listener. */
export function openQuestion(
  pending: PendingApproval,
  { clock, dueAt, signal, onEnd }: OpenOptions,
): OpenQuestion {
  const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>()
  let isOpen = true
  const end = (ending: Ending, tell: () => void) => {
    if (!isOpen) return
    isOpen = false
    stopTimer()
    signal.removeEventListener('abort', withdraw)
    onEnd(ending)
    tell()
  }
  const fail = (error: unknown) => end('withdrawn', () => reject(error))
  const withdraw = () => fail(signal.reason)
  const expire = () => end('expired', () => resolve(expiredAnswer))
  const stopTimer = wakeAt(clock, dueAt, expire)
  signal.addEventListener('abort', withdraw)
  return {
    pending,
    answered: promise,
    isDue: () => clock.now() >= dueAt,
    answer: (answer) => end('answered', () => resolve(answer)),
    expire,
    fail,
  }
}

const expiredAnswer: ApprovalAnswer = Object.freeze({
  decision: Object.freeze({
    type: 'deny',
    reason:
      'Nobody answered in time, so this call is denied. Go on without it, or say what is needed.',
  }),
  by: 'expiry',
  isUnanswered: true,
})

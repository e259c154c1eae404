import type { MaybePromise } from 'hookline'
import type { AgentScope, ToolCall } from 'hookline/lifecycle'
import { StoreError } from '../store-error.ts'
import type { Approval, ApprovalAlarm, Principal } from './approval.ts'
import type { ReadAnswer } from './read-answer.ts'

export interface StoredApprovalsOptions {
  /** How long a question can be answered before it is denied. Default: a week. */
  readonly expiresMs?: number
  /** Signs every row; all processes need the same. At least 16 bytes. */
  readonly key?: string | Uint8Array
  /** How many people have to agree to a call, be it by a rule. Default: one. */
  readonly approvers?: (call: ToolCall, scope: AgentScope) => 1 | 2
  /** Whether somebody may give such an answer. Default: everybody who is let in. */
  readonly mayApprove?: (
    principal: Principal,
    approval: Approval,
    answer: ReadAnswer,
  ) => MaybePromise<boolean>
  /**
   * Whether those on whose behalf a turn runs may agree to its calls: for
   * programs with one user. Never where two have to agree. Default: false.
   */
  readonly mayAnswerOwn?: boolean
  /** How many questions of a session can be open at once. Default: 100. */
  readonly maxOpen?: number
  /** How long a denial answers the same call of a session. Default: ten minutes. */
  readonly coolDownMs?: number
  /** The longest time until an answer of another process is seen. Default: 1 s. */
  readonly pollMs?: number
  /** Told of each question once it is open. */
  readonly onQuestion?: (approval: Approval) => void
  /** Told of each call that a rule lets pass without a question. */
  readonly onLift?: (lift: RuleLift) => void
  readonly alarm?: (alarm: ApprovalAlarm) => void
}

/** A call that would have been asked about, had there been no rule. */
export interface RuleLift {
  readonly ruleId: string
  readonly createdBy: string
  readonly agent: string
  readonly tool: string
  readonly callId: string
  readonly sessionId?: string
}

export type ApprovalsSettings = Required<
  Omit<StoredApprovalsOptions, 'key' | 'onQuestion' | 'onLift'>
> &
  Pick<StoredApprovalsOptions, 'onQuestion' | 'onLift'>

const longestMs = 10 * 366 * 86_400_000
const optionKeys: readonly (keyof StoredApprovalsOptions)[] = [
  'expiresMs',
  'key',
  'approvers',
  'mayApprove',
  'mayAnswerOwn',
  'maxOpen',
  'coolDownMs',
  'pollMs',
  'onQuestion',
  'onLift',
  'alarm',
]

export function readOptions(
  options: StoredApprovalsOptions,
): ApprovalsSettings {
  for (const key of Object.keys(options)) {
    if (optionKeys.some((known) => known === key)) continue
    throw invalid(`There is no option \`${key}\` of approvals.`)
  }
  const settings: ApprovalsSettings = {
    expiresMs: 7 * 86_400_000,
    approvers: () => 1,
    mayApprove: () => true,
    mayAnswerOwn: false,
    maxOpen: 100,
    coolDownMs: 600_000,
    pollMs: 1_000,
    ...options,
    alarm: harmless(options.alarm),
  }
  const { expiresMs, maxOpen, coolDownMs, pollMs } = settings
  checkNumbers({ expiresMs, maxOpen, pollMs }, 1)
  checkNumbers({ coolDownMs }, 0)
  return settings
}

/** Whoever is told of trouble must not make more of it. */
function harmless(
  alarm: StoredApprovalsOptions['alarm'],
): ApprovalsSettings['alarm'] {
  return (about) => {
    try {
      alarm?.(about)
    } catch {
      // There is nobody else to tell.
    }
  }
}

function checkNumbers(given: Readonly<Record<string, number>>, least: number) {
  for (const [key, value] of Object.entries(given)) {
    if (Number.isInteger(value) && value >= least && value <= longestMs) {
      continue
    }
    throw invalid(
      `The \`${key}\` of approvals is not a whole number from ${least} to ${longestMs}.`,
    )
  }
}

function invalid(message: string): StoreError {
  return new StoreError('invalid-options', message)
}

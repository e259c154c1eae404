import type {
  AgentScope,
  PermissionDecision,
  PermissionQuestion,
} from 'hookline/lifecycle'

/** Puts questions to people. Where there is none, nobody can agree. */
export interface ApprovalsPort {
  /** Settles when somebody has answered, or nobody can any more. */
  ask(
    question: PermissionQuestion,
    options: AskOptions,
  ): Promise<ApprovalAnswer>
}

export interface AskOptions {
  readonly scope: AgentScope
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal
}

export interface ApprovalAnswer {
  readonly decision: PermissionDecision
  /** Who decided. */
  readonly by: string
}

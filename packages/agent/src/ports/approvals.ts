import type {
  Actor,
  AgentScope,
  PermissionDecision,
  PermissionQuestion,
} from 'hookline/lifecycle'

/** Puts questions to people. Where there is none, nobody can agree. */
export interface ApprovalsPort {
  /** Its questions outlive the process: they are put again with the same id. */
  readonly isDurable?: boolean
  /** Settles when somebody has answered, or nobody can any more. */
  ask(
    question: PermissionQuestion,
    options: AskOptions,
  ): Promise<ApprovalAnswer>
}

export interface AskOptions {
  readonly scope: AgentScope
  /**
   * Aborted when the answer is no longer wanted; with a `Suspension`, when it
   * still is, but not by this process.
   */
  readonly signal: AbortSignal
}

/** Why a turn stops here that goes on elsewhere, or later. */
export class Suspension extends Error {
  override readonly name = 'Suspension'

  constructor() {
    super('The turn is suspended until its session is opened again.')
  }
}

export interface ApprovalAnswer {
  readonly decision: PermissionDecision
  /** Who decided. */
  readonly by: string
  /** Nobody did: its time was up, or what was decided does not count. */
  readonly isUnanswered?: boolean
  /** Whose words or arguments it has in it: they have a say from here on. */
  readonly actor?: Actor
  /** Where a yes is kept that counts once: it is used up with the seal. */
  readonly approvalId?: string
}

import type { MaybePromise } from 'hookline'
import type {
  AgentScope,
  Message,
  ModelRequest,
  ModelResponse,
  PreflightPlan,
  UserContent,
} from 'hookline/lifecycle'

/** Looks at a turn before its prompt is made, and plans what to recall. */
export interface PreflightPort {
  plan(content: UserContent, turn: PreflightTurn): MaybePromise<PreflightPlan>
}

/** The turn that a plan is made for. */
export interface PreflightTurn {
  readonly scope: AgentScope
  /** The model of the agent. */
  readonly model: string
  readonly history: readonly Message[]
  /** Aborted when nobody wants the plan any more. */
  readonly signal: AbortSignal
  /** Passes every gate, with the origin `preflight`, within the turn's budget. */
  callModel(request: ModelRequest): Promise<ModelResponse>
}

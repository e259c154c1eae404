/** What can be wrong with a call to the runtime, or with what it was given. */
export type AgentErrorCode =
  | 'invalid-config'
  | 'invalid-answer'
  | 'invalid-core'
  | 'invalid-input'
  | 'invalid-output-schema'
  | 'invalid-session-id'
  | 'invalid-tool'
  | 'invalid-script'
  | 'duplicate-agent'
  | 'duplicate-hook'
  | 'duplicate-tool'
  | 'unknown-agent'
  | 'unknown-core'
  | 'unknown-model'
  | 'unknown-provider'
  | 'missing-key'
  | 'missing-package'
  | 'missing-price'
  | 'missing-tool'
  | 'point-not-honoured'
  | 'registration-refused'
  | 'session-refused'
  | 'session-closed'
  | 'session-ended'
  | 'session-exists'
  | 'session-elsewhere'
  | 'unknown-session'
  | 'unknown-call'
  | 'invalid-call'
  | 'input-conflict'
  | 'limit-reached'
  | 'no-receipt'
  | 'runtime-closed'

/** The one error of this package. `docs/errors.md` explains every code. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

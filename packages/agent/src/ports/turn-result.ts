import type {
  Reply,
  StopReason,
  TurnError,
  TurnStatus,
  Usage,
} from 'hookline/lifecycle'

/** What a turn came to. */
export interface TurnResult<Value = unknown> {
  readonly turnId: string
  readonly status: TurnStatus
  readonly reply: Reply
  /** The text of the reply. */
  readonly text: string
  /** The value of the schema that was asked for. */
  readonly value?: Value
  /** Why it was refused, withheld, limited or ended. */
  readonly reason?: string
  readonly error?: TurnError
  readonly usage: Usage
  readonly steps: number
  readonly stopReason?: StopReason
  /** The same input was answered earlier; this is how that ended. */
  readonly isDuplicate?: boolean
}

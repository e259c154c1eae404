import type {
  JsonObject,
  JsonValue,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'

/**
 * What a handler has said, in no product's words. A moment takes what it can:
 * what it cannot is told in the record.
 */
export interface Verdict {
  /** About a call, a prompt, a question to the user, a compaction. */
  readonly decision?: Decided
  /** Of the decision. */
  readonly reason?: string
  /** All arguments of a call, with the names that the moment has. */
  readonly updatedInput?: JsonObject
  /** What the model is to see of a result instead. */
  readonly updatedOutput?: JsonValue
  /** What the user is to have said. */
  readonly updatedPrompt?: string
  readonly updatedRequest?: ModelRequest
  /** At `model-pre` in place of a call, at `model-post` in place of its reply. */
  readonly updatedResponse?: ModelResponse
  /** For the model to know. */
  readonly context?: readonly string[]
  /** For the user to read. */
  readonly notices?: readonly string[]
  /** The turn ends, whatever else is said. */
  readonly stop?: string
  /** Where a turn or a sub-agent is about to stop: go on with this. */
  readonly keepGoing?: string
  /**
   * It gave no answer, and why. Whether that blocks is not for the reader of an
   * end to say: `askOne` decides it, and has it on record.
   */
  readonly failure?: string
  /** What its failure is where nothing of what it refuses is honoured. */
  readonly doubt?: string
  /** What will surprise somebody; for the record. */
  readonly lapses?: readonly Lapse[]
}

/** From the strongest down: a stronger one holds, whoever said it. */
export type Decided = 'deny' | 'defer' | 'ask' | 'allow'

/** The verdict with one more line for the record. */
export function withLapse(
  verdict: Verdict,
  code: LapseCode,
  message: string,
): Verdict {
  return { ...verdict, lapses: [...(verdict.lapses ?? []), { code, message }] }
}

/** A line for the record. */
export interface Lapse {
  readonly code: LapseCode
  readonly message: string
}

export type LapseCode =
  /** No answer, and the product goes on as if the hook had agreed. */
  | 'failed-open'
  /** It is not what was trusted, and so it did not run. */
  | 'untrusted'
  /** No answer, and so it was denied. */
  | 'failed-closed'
  /** It was blocked, but most likely by a hook that could not run. */
  | 'accidental-exit'
  /** Understood, but not said as the product wants it said. */
  | 'sloppy-output'
  /** It said something that has no effect here. */
  | 'not-honoured'
  /** The new result of a call is none that its tool could give. */
  | 'wrong-shape'
  /** Two hooks have changed the same, and one of the changes does not count. */
  | 'conflict'
  /** Its time was cut to what the dispatch has left. */
  | 'cut-time'
  /** It was asked once more, about what another hook has made of it. */
  | 'asked-again'
  /** Who said what, how long it took. */
  | 'handler-end'

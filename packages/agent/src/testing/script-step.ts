import type { MaybePromise } from 'hookline'
import type {
  JsonObject,
  ModelContent,
  ModelErrorCode,
  ModelRequest,
  StopReason,
  Usage,
} from 'hookline/lifecycle'

/** What a scripted model says, call by call. */
export type Script = readonly ScriptStep[] | ScriptFunction

/** Calls are counted from 1. */
export type ScriptFunction = (
  request: ModelRequest,
  call: number,
) => MaybePromise<ScriptStep>

/** What comes of one call of a scripted model. An empty step says nothing. */
export interface ScriptStep {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly ScriptedCall[]
  /** Just this, instead of text, reasoning and calls. */
  readonly content?: ModelContent
  /** Default: `tool_calls` where there are any, else `end_turn`. */
  readonly stopReason?: StopReason
  /** Default: 10 tokens in, 5 out. */
  readonly usage?: Partial<Usage>
  /** The call fails, with this. */
  readonly error?: ScriptedError
  /** In how many deltas a text is streamed. Default: word by word. */
  readonly chunks?: number
  /** So many characters are streamed, then the call fails. */
  readonly cutAfter?: number
  /** How long the call takes, by the clock of the model. */
  readonly afterMs?: number
  /** What the call waits for; in code only. */
  readonly waitFor?: PromiseLike<unknown>
}

export interface ScriptedCall {
  readonly tool: string
  readonly args?: JsonObject
  /** Default: `call-1` for the first call of the script, and so on. */
  readonly id?: string
}

export interface ScriptedError {
  readonly code: ModelErrorCode
  readonly message?: string
  /** Default: as the code suggests. */
  readonly isRetryable?: boolean
  readonly retryAfterMs?: number
  readonly httpStatus?: number
}

/** What is wrong with a step whose parts are all right by themselves. */
export function conflictIn(step: ScriptStep): string | undefined {
  const { content, error, chunks, cutAfter } = step
  const spoken = (['text', 'reasoning', 'calls'] as const).find(
    (key) => step[key] !== undefined,
  )
  if (content && spoken) return `has both "content" and "${spoken}"; keep one`
  const said = content ? 'content' : spoken
  if (error && said && cutAfter === undefined) {
    return `has both "error" and "${said}"; keep one, or say with "cutAfter" how much is streamed before the error`
  }
  if (chunks !== undefined && !(Number.isSafeInteger(chunks) && chunks > 0)) {
    return 'has "chunks" that are not a whole number from 1 on'
  }
  return undefined
}

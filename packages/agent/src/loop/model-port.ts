import type { MaybePromise } from 'hookline'
import type { ModelRequest, ModelResponse, TextEvent } from 'hookline/lifecycle'
import type { ReplyStream } from '../events/reply-stream.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { GenerateOptions, Model } from '../ports/model.ts'
import type { Receipt } from '../seal/receipts.ts'
import type { Cancellation } from './cancellation.ts'
import type { Turn } from './turn.ts'
import { untilAborted } from './wait.ts'

/** The one way to a model: nothing is sent that the gates have not seen. */
export function generate(
  { parts, signal }: Turn,
  model: Model,
  request: ModelRequest,
  receipt: Receipt | undefined,
  stream: ReplyStream | undefined,
): MaybePromise<ModelResponse> {
  parts.receipts.redeem(receipt, request)
  const given = model.generate(request, new Generation(signal, stream))
  if (given instanceof Promise) return untilAborted(given, signal).then(check)
  return check(given)
}

function check(response: ModelResponse): ModelResponse {
  if (Array.isArray(response?.content)) return response
  throw new AgentError('unknown-model', 'The model gave no response.')
}

/** What a model is told beside the request. */
class Generation implements GenerateOptions {
  readonly onPart?: (part: TextEvent) => void | Promise<void>
  readonly #signal: Cancellation

  constructor(signal: Cancellation, stream: ReplyStream | undefined) {
    this.#signal = signal
    if (stream !== undefined) this.onPart = (part) => stream.push(part)
  }

  /** Made when it is asked for: not every model can be interrupted. */
  get signal(): AbortSignal {
    return this.#signal.signal
  }
}

import type { MaybePromise } from 'hookline'
import type { ModelRequest, ModelResponse, TextEvent } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import type { ReplyStream } from '../events/reply-stream.ts'
import type { GenerateOptions, Model } from '../ports/model.ts'
import type { Receipt } from '../seal/receipts.ts'
import type { Cancellation } from './cancellation.ts'
import { readResponse } from './read-response.ts'
import type { Turn } from './turn.ts'
import { untilAborted } from './wait.ts'

/** The one way to a model: nothing is sent that the gates have not seen. */
export function generate(
  turn: Turn,
  model: Model,
  request: ModelRequest,
  receipt: Receipt | undefined,
  stream: ReplyStream | undefined,
): MaybePromise<ModelResponse> {
  const { parts, signal } = turn
  parts.receipts.redeem(receipt, request)
  const generation = new Generation(signal, stream)
  const given = settled(model.generate(request, generation))
  const check = (response: ModelResponse) => readResponse(response, turn)
  if (!(given instanceof Promise)) return check(given)
  return untilAborted(given, signal)
    .finally(() => generation.end())
    .then(check)
}

/** What a model is told beside the request. */
class Generation implements GenerateOptions {
  readonly onPart?: (part: TextEvent) => void | Promise<void>
  readonly #signal: Cancellation
  #isOver = false

  constructor(signal: Cancellation, stream: ReplyStream | undefined) {
    this.#signal = signal
    if (stream === undefined) return
    this.onPart = (part) => (this.#isOver ? undefined : stream.push(part))
  }

  /** Its reply is there: what it still has to say is not heard. */
  end(): void {
    this.#isOver = true
  }

  /** Made when it is asked for: not every model can be interrupted. */
  get signal(): AbortSignal {
    return this.#signal.signal
  }
}

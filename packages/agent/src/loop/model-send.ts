import type { MaybePromise } from 'hookline'
import type {
  ModelError,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import { asError } from '../data/as-error.ts'
import { isA } from '../data/is-a.ts'
import type { ReplyStream } from '../events/reply-stream.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { Model, ModelPrice } from '../ports/model.ts'
import { modelErrorOf } from '../ports/model-failure.ts'
import { attempt, chain } from './chain.ts'
import { generate } from './model-port.ts'
import type { Turn } from './turn.ts'
import { heed } from './wait.ts'

/** What a model gave in one attempt: a response, or an error instead. */
export type Attempted =
  | { readonly response: ModelResponse; readonly error?: undefined }
  | { readonly error: ModelError; readonly response?: undefined }

/** Finds the model and calls it, once. */
export function attemptOnce(
  turn: Turn,
  request: ModelRequest,
  stream: ReplyStream | undefined,
): MaybePromise<Attempted> {
  return attempt(
    () => {
      // Whatever came before it: of a turn that was cancelled nothing is sent.
      if (turn.signal.aborted) throw asError(turn.signal.reason)
      return chain(
        heed(turn.parts.models.resolve(request.model), turn.signal),
        (model) => sendTo(turn, model, request, stream),
      )
    },
    (response): Attempted => ({ response }),
    (thrown) => failAttempt(turn, stream, thrown),
  )
}

function sendTo(
  turn: Turn,
  model: Model,
  request: ModelRequest,
  stream: ReplyStream | undefined,
): MaybePromise<ModelResponse> {
  const { parts, tally, budgets, events } = turn
  const { price } = model
  const isPriced = budgets.some(({ limits }) => limits.maxCost !== undefined)
  if (isPriced) checkPrice(price)
  const count = (response: ModelResponse) => {
    const { usage } = response
    tally.addUsage(usage, price)
    if (events.isWatched) {
      void events.emit({ type: 'usage-delta', model: request.model, usage })
    }
    return response
  }
  const receipt = parts.receipts.mint(request)
  const given = generate(turn, model, request, receipt, stream)
  return chain(given, count)
}

/** A turn that was cancelled has no failed model call. */
async function failAttempt(
  { signal }: Turn,
  stream: ReplyStream | undefined,
  cause: unknown,
): Promise<Attempted> {
  const isOurs = isA(cause, AgentError) && cause.code === 'missing-price'
  if (isOurs) throw cause
  if (!signal.aborted) return { error: modelErrorOf(cause) }
  await stream?.close()
  throw asError(signal.reason)
}

/** A limit on cost that cannot be kept is no limit. */
function checkPrice(price: ModelPrice | undefined): void {
  if (price !== undefined) return
  const message = 'The agent has a limit on cost, but its model has no price.'
  throw new AgentError('missing-price', message)
}

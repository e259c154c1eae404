import type {
  ModelError,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import { cutText } from '../../data/cut-text.ts'
import { AgentError } from '../../ports/agent-error.ts'
import { modelErrorOf } from '../../ports/model-failure.ts'
import type { Deadline } from '../deadline.ts'
import type { HandlerCall } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'

const maxAttempts = 4
const firstPauseMs = 500

/** Calls the model, again after a while where that may help and there is time. */
export async function callJudge(
  { callModel, diagnose }: HandlerCall,
  request: ModelRequest,
  deadline: Deadline,
): Promise<ModelResponse> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await deadline.within(callModel(request))
      checkWhole(response)
      return response
    } catch (error) {
      const pauseMs = pauseAfter(error, attempt)
      if (pauseMs === undefined || pauseMs >= deadline.remainingMs) {
        throw failureOf(error)
      }
      const { code } = modelErrorOf(error)
      diagnose('prompt-repeated', `The model is asked again, after ${code}.`)
      await deadline.pause(pauseMs)
    }
  }
}

/** A reply that was refused, or cut, says nothing that counts. */
function checkWhole({ stopReason, content }: ModelResponse): void {
  const isEmpty = content.every(
    (block) =>
      block.type === 'reasoning' ||
      (block.type === 'text' && block.text.trim() === ''),
  )
  const problem =
    stopReason === 'refusal'
      ? 'refused to judge'
      : stopReason === 'max_tokens'
        ? 'was cut off; raise maxOutputTokens'
        : isEmpty
          ? 'said nothing'
          : undefined
  if (problem === undefined) return
  throw new HandlerFailure('model', `The model ${problem}.`)
}

function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (attempt >= maxAttempts || isOurs(error)) return undefined
  const { isRetryable, retryAfterMs } = modelErrorOf(error)
  if (!isRetryable) return undefined
  return Math.max(retryAfterMs ?? 0, firstPauseMs * 2 ** (attempt - 1))
}

function isOurs(error: unknown): boolean {
  return error instanceof HandlerFailure || error instanceof AgentError
}

function failureOf(error: unknown): HandlerFailure {
  if (error instanceof HandlerFailure) return error
  if (error instanceof AgentError) {
    const isSpent =
      error.code === 'limit-reached' || error.code === 'missing-price'
    const code = isSpent ? 'budget' : 'model'
    return new HandlerFailure(code, error.message, error)
  }
  const known = modelErrorOf(error)
  if (known.code === 'context_too_long') {
    const message = 'The moment is larger than the model can take.'
    return new HandlerFailure('too-large', message, error)
  }
  return new HandlerFailure('model', failureText(known), error)
}

function failureText({ code, message }: ModelError): string {
  return `The model could not be asked (${code}): ${cutText(message, 300)}`
}

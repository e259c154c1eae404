import type { ModelResponse } from 'hookline/lifecycle'
import { ModelFailure } from '../ports/model-failure.ts'
import type { ModelOutcome } from './model-attempts.ts'

/** What a model said, for whoever can do nothing with anything else. */
export function responseOf(answer: ModelOutcome): ModelResponse {
  if (answer.type === 'answer') return answer.response
  if (answer.type === 'gave-up') throw new ModelFailure(answer.error)
  const message = `The call was ended: ${answer.reason ?? answer.status}`
  const code = 'content_filtered'
  throw new ModelFailure({ code, message, isRetryable: false })
}

import type { ModelRequest, ModelResponse } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { GenerateOptions, Model } from '../ports/model.ts'
import type { Receipt } from '../seal/receipts.ts'
import type { LoopParts } from './parts.ts'
import { untilAborted } from './wait.ts'

/** The one way to a model: nothing is sent that the gates have not seen. */
export async function generate(
  { receipts }: LoopParts,
  model: Model,
  request: ModelRequest,
  receipt: Receipt | undefined,
  options: GenerateOptions,
): Promise<ModelResponse> {
  receipts.redeem(receipt, request)
  const given = model.generate(request, options)
  const response =
    given instanceof Promise ? await untilAborted(given, options.signal) : given
  if (!Array.isArray(response?.content)) {
    throw new AgentError('unknown-model', 'The model gave no response.')
  }
  return response
}

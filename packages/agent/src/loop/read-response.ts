import { freezeDeep } from 'hookline'
import type { ModelContent, ModelResponse } from 'hookline/lifecycle'
import { copyJsonObject } from '../data/copy-json.ts'
import { invalidArgs } from '../ports/invalid-args.ts'
import { ModelFailure } from '../ports/model-failure.ts'
import type { LoopParts } from './parts.ts'

/**
 * What a model gave is read once: calls have arguments that are JSON, and ids
 * that differ. A tool that the provider ran itself was seen by no gate.
 */
export function readResponse(
  response: ModelResponse,
  { nextId, alarm }: LoopParts,
): ModelResponse {
  if (!Array.isArray(response?.content)) {
    const message = 'The model gave no response.'
    throw new ModelFailure({ code: 'unknown', message, isRetryable: false })
  }
  const ids = new Set<string>()
  let isChanged = false
  const content: ModelContent = response.content.map((block) => {
    if (block.type !== 'tool_call') return block
    if (block.providerExecuted) {
      alarm('ungated', block.tool)
      return block
    }
    const { value, issue } = copyJsonObject(block.args)
    const isKnown = block.id === '' || ids.has(block.id)
    const id = isKnown ? nextId() : block.id
    ids.add(id)
    isChanged = true
    const args = issue ? invalidArgs(issue.message) : value
    return { ...block, id, args }
  })
  return freezeDeep(isChanged ? { ...response, content } : response)
}

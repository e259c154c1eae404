import { freezeDeep } from 'hookline'
import type { ModelContent, ModelResponse } from 'hookline/lifecycle'
import { copyJsonObject } from '../data/copy-json.ts'
import { isModelResponse, isText } from '../data/shapes.ts'
import { invalidArgs } from '../ports/invalid-args.ts'
import { ModelFailure } from '../ports/model-failure.ts'
import { withoutStaleData } from './stale-data.ts'
import type { Turn } from './turn.ts'

const maxIdChars = 200

/** Calls are asked about by their ids, also in addresses; dots lead elsewhere. */
function isNamed(id: unknown): id is string {
  if (!isText(id) || id.length > maxIdChars) return false
  return /[^.]/.test(id)
}

/** The same of what hooks have made of a reply: its ids are still its own. */
export function readChanged(
  changed: ModelResponse,
  before: ModelResponse,
  turn: Turn,
): ModelResponse {
  const told = new Set<string>()
  for (const block of before.content) {
    if (block.type !== 'tool_call') continue
    if (block.providerExecuted) told.add(block.id)
    else turn.progress.callIds.delete(block.id)
  }
  const content = withoutStaleData(changed.content, before.content)
  return readResponse({ ...changed, content }, turn, told)
}

/**
 * What a model gave is read once: calls have arguments that are JSON, and ids
 * that differ. A tool that the provider ran itself was seen by no gate; `told`
 * has the calls of which that was said before.
 */
export function readResponse(
  response: ModelResponse,
  { parts, progress }: Turn,
  told?: ReadonlySet<string>,
): ModelResponse {
  if (!isModelResponse(response)) {
    const message = 'The model gave what is no response.'
    throw new ModelFailure({ code: 'unknown', message, isRetryable: false })
  }
  const ids = progress.callIds
  const readBlock = (block: ModelContent[number]) => {
    if (block.type !== 'tool_call') return freezeDeep(block)
    if (block.providerExecuted) {
      if (!told?.has(block.id)) parts.alarm('ungated', block.tool)
      return freezeDeep(block)
    }
    const { value, issue } = copyJsonObject(block.args)
    const isFresh = isNamed(block.id) && !ids.has(block.id)
    const id = isFresh ? block.id : parts.nextId()
    ids.add(id)
    const args = issue ? invalidArgs(issue.message) : value
    return freezeDeep({ ...block, id, args })
  }
  const content: ModelContent = Object.freeze(response.content.map(readBlock))
  return freezeDeep({ ...response, content })
}

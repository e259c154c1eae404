import { endTurn, proceed, reject, respond, transform } from 'hookline'
import { llmPostCall, llmPreCall, type ModelResponse } from 'hookline/lifecycle'
import { isConversation } from './is-conversation.ts'
import { kindAt } from './kind.ts'
import { stopLater } from './stop-later.ts'
import { words } from './words.ts'

export const modelBefore = kindAt(llmPreCall, {
  // Before the gates of others, which are to judge what comes of it.
  priority: 50,
  writes: true,
  isInOrder: true,
  capabilities: ['notice'],
  facts: ({ request, attempt }, { scope }) =>
    isConversation(scope) ? { kind: 'model-pre', request, attempt } : undefined,
  answer(said) {
    if (said.stop !== undefined) return endTurn(words.stop(said.stop))
    if (said.decision === 'deny') return reject(words.denial(said))
    if (said.updatedResponse !== undefined) return respond(said.updatedResponse)
    const { updatedRequest } = said
    return updatedRequest === undefined ? proceed : transform(updatedRequest)
  },
})

export const modelAfter = kindAt(llmPostCall, {
  priority: 150,
  writes: true,
  isInOrder: true,
  capabilities: ['notice'],
  facts(input, { scope }) {
    if (input.type !== 'response' || !isConversation(scope)) return undefined
    const { request, response } = input
    return { kind: 'model-post', request, response }
  },
  answer(said, _, at) {
    const { stop, updatedResponse } = said
    // It ends the turn, too; to end it alone would let the reply out.
    if (said.decision === 'deny') return reject(words.denial(said))
    if (updatedResponse === undefined) {
      return stop === undefined ? proceed : endTurn(words.stop(stop))
    }
    if (stop === undefined) return transform(updatedResponse)
    // One answer cannot both change the reply and end the turn.
    stopLater(said, at)
    return transform(withoutCalls(updatedResponse))
  },
})

/** Nothing begins in a turn that is to end. */
function withoutCalls(response: ModelResponse): ModelResponse {
  const content = response.content.filter(
    (block) => block.type !== 'tool_call' || block.providerExecuted === true,
  )
  return { ...response, content }
}

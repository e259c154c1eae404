import { endTurn, proceed, reject, respond, transform } from 'hookline'
import { llmPostCall, llmPreCall } from 'hookline/lifecycle'
import { type At, kindAt } from './kind.ts'
import { words } from './words.ts'

/** What hooks and compactions ask of models is nobody else's business. */
const isConversation = ({ scope: { origin } }: At) =>
  origin === 'user' || origin === 'subagent' || origin === 'background'

export const modelBefore = kindAt(llmPreCall, {
  // Before the gates of others, which are to judge what comes of it.
  priority: 50,
  writes: true,
  capabilities: ['notice'],
  facts: ({ request, attempt }, at) =>
    isConversation(at) ? { kind: 'model-pre', request, attempt } : undefined,
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
  capabilities: ['notice'],
  facts(input, at) {
    if (input.type !== 'response' || !isConversation(at)) return undefined
    const { request, response } = input
    return { kind: 'model-post', request, response }
  },
  answer(said) {
    if (said.stop !== undefined) return endTurn(words.stop(said.stop))
    if (said.decision === 'deny') return reject(words.denial(said))
    const { updatedResponse } = said
    return updatedResponse === undefined ? proceed : transform(updatedResponse)
  },
})

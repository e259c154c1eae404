import { freezeDeep } from 'hookline'
import type { ModelRequest } from 'hookline/lifecycle'
import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { compact } from './compact.ts'
import { endWith } from './ends.ts'
import { attemptModel } from './model-attempts.ts'
import { callsIn, spoken } from './spoken.ts'
import { cancelCalls } from './tool-batch.ts'
import type { Turn } from './turn.ts'

const noSettings = Object.freeze({})

/** Asks the model with the conversation as it is, and adds what it says. */
export async function callModel(turn: Turn): Promise<ModelReply | CoreEnd> {
  const options = { isStreamed: true }
  let answer = await attemptModel(turn, requestOf(turn), options)
  if (answer.type === 'gave-up' && answer.error.code === 'context_too_long') {
    const compacted = await compact(turn, 'overflow')
    if (compacted === 'vetoed') {
      return endWith('limited', 'The conversation is too long for the model.')
    }
    if (compacted === 'done') {
      const firstAttempt = answer.attempt + 1
      const again = { ...options, firstAttempt }
      answer = await attemptModel(turn, requestOf(turn), again)
    }
  }
  if (answer.type === 'end') return answer
  if (answer.type === 'gave-up') {
    const { code, message } = answer.error
    const error = { code, message }
    return { type: 'end', status: 'failed', reply: [], error }
  }
  const { response, stream, ending, isSynthetic } = answer
  const { conversation, progress } = turn
  const { content } = response
  progress.stream = stream
  if (!isSynthetic) conversation.noteUsage(response.usage)
  if (content.length > 0) conversation.add({ role: 'assistant', content })
  const reply: ModelReply = { type: 'reply', response, calls: callsIn(content) }
  if (ending === undefined) return reply
  return endTurnWith(turn, reply, ending)
}

function requestOf({ agent, conversation, progress, output }: Turn) {
  const { model, settings = noSettings } = agent.config
  const { system, tools } = progress
  const { shown } = conversation
  const messages = system === undefined ? [...shown] : [system, ...shown]
  const request: ModelRequest = {
    model,
    // Frozen here, as their parts are: else every gate would have to look.
    messages: Object.freeze(messages),
    tools: tools.declarations,
    settings:
      output === undefined
        ? settings
        : { ...settings, responseSchema: output.jsonSchema },
  }
  return output === undefined ? Object.freeze(request) : freezeDeep(request)
}

/** A hook has ended the turn on this reply: its calls are not made. */
async function endTurnWith(
  turn: Turn,
  { response, calls }: ModelReply,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<CoreEnd> {
  const reply = spoken(response.content)
  if (calls.length === 0) return endWith('succeeded', reason, by, reply)
  await turn.progress.stream?.release(response.content)
  await cancelCalls(turn, calls, reason)
  return endWith('succeeded', reason, by, [])
}

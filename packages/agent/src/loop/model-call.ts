import { freezeDeep, type MaybePromise } from 'hookline'
import type { ModelRequest } from 'hookline/lifecycle'
import type { CoreEnd, ModelReply } from '../ports/core.ts'
import { endedBefore } from './call-flow.ts'
import { compact } from './compact.ts'
import { endWith } from './ends.ts'
import { leaveCalls } from './leave-calls.ts'
import {
  attemptModel,
  type ModelGaveUp,
  type ModelOutcome,
} from './model-attempts.ts'
import { callsIn, spoken } from './spoken.ts'
import { worse } from './tool-batch.ts'
import type { Turn } from './turn.ts'

const noSettings = Object.freeze({})

const streamed = { isStreamed: true, take: takeAnswer }

/** Asks the model with the conversation as it is, and adds what it says. */
export function callModel(turn: Turn): Promise<ModelReply | CoreEnd> {
  return attemptModel(turn, requestOf(turn), streamed)
}

function takeAnswer(
  answer: ModelOutcome,
  turn: Turn,
): MaybePromise<ModelReply | CoreEnd> {
  const { conversation, progress } = turn
  progress.reply = undefined
  if (answer.type === 'end') return answer
  if (answer.type === 'gave-up') return giveUp(turn, answer)
  const { response, stream, ending, isSynthetic } = answer
  const { content } = response
  progress.stream = stream
  if (!isSynthetic) conversation.noteUsage(response.usage)
  if (content.length > 0) conversation.add({ role: 'assistant', content })
  const reply: ModelReply = { type: 'reply', response, calls: callsIn(content) }
  if (ending !== undefined) return endTurnWith(turn, reply, ending)
  progress.reply = reply
  return reply
}

/** What did not fit is made shorter, once; any other error ends the turn. */
async function giveUp(
  turn: Turn,
  { error, attempt, isSecond }: ModelGaveUp & { readonly isSecond?: boolean },
): Promise<ModelReply | CoreEnd> {
  const { code, message } = error
  const failed: CoreEnd = {
    type: 'end',
    status: 'failed',
    reply: [],
    error: { code, message },
  }
  if (code !== 'context_too_long' || isSecond) return failed
  const compacted = await compact(turn, 'overflow')
  if (compacted === 'nothing') return failed
  if (compacted === 'vetoed') {
    return endWith('limited', 'The conversation is too long for the model.')
  }
  return attemptModel(turn, requestOf(turn), {
    isStreamed: true,
    attempt: attempt + 1,
    take: (answer) =>
      answer.type === 'gave-up'
        ? giveUp(turn, { ...answer, isSecond: true })
        : takeAnswer(answer, turn),
  })
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
  reply: ModelReply,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<CoreEnd> {
  const said = spoken(reply.response.content)
  const end = endWith('succeeded', reason, by, said)
  if (reply.calls.length === 0) return end
  return worse(await leaveCalls(turn, reply, endedBefore(reason)), end)
}

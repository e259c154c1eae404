import { freezeDeep } from 'hookline'
import {
  type AgentScope,
  type EndedCall,
  type ModelRequest,
  type ModelResponse,
  sessionEnd,
} from 'hookline/lifecycle'
import { copyJsonObject } from '../data/copy-json.ts'
import { Batch } from '../loop/batch.ts'
import { Cancellation } from '../loop/cancellation.ts'
import { limitReached } from '../loop/limits.ts'
import { attemptModel } from '../loop/model-attempts.ts'
import { responseOf } from '../loop/response-of.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { AnyContext, HookToolCall } from './runtime.ts'
import type { SessionHost } from './session-host.ts'

/** Calls a model for a hook: through every gate but its own. */
export function callModelFor(
  host: SessionHost,
  context: AnyContext,
  request: ModelRequest,
): Promise<ModelResponse> {
  const ending = () => endingTurn(host, context)
  const options = { isStreamed: false, take: responseOf }
  return onBehalfOf(host, context, { toolCalls: 0, ending }, (turn) =>
    attemptModel(turn, freezeDeep(structuredClone(request)), options),
  )
}

/** Calls a tool for a hook: through the same pipeline as the model's calls. */
export function callToolFor(
  host: SessionHost,
  context: AnyContext,
  { tool, args: given }: HookToolCall,
): Promise<EndedCall> {
  const { value: args, issue } = copyJsonObject(given)
  if (issue) {
    throw new AgentError('invalid-call', 'The arguments of a call are no JSON.')
  }
  return onBehalfOf(host, context, { toolCalls: 1 }, async (turn) => {
    const batch = new Batch(turn)
    turn.tally.addToolCalls(1)
    const id = host.parts.nextId()
    await batch.begin([{ type: 'tool_call', id, tool, args }])
    const end = await batch.ends[0]
    if (end !== undefined) return end.ended
    throw new AgentError('invalid-call', 'The call has not ended.')
  })
}

interface CallKind {
  /** How many calls of tools it is. */
  readonly toolCalls: number
  /** What stands in for a turn where none runs. */
  readonly ending?: () => Turn | undefined
}

/** Of a session that ends; only for hooks that are being told of it. */
function endingTurn(
  { endings }: SessionHost,
  { point, scope }: AnyContext,
): Turn | undefined {
  if (point !== sessionEnd.name) return undefined
  // Hooks of an agent's life are given its scope.
  const { sessionId = '' } = scope as AgentScope
  return endings.get(sessionId)?.()
}

/** Does something for a hook in its turn, within what the turn has left. */
async function onBehalfOf<T>(
  { turns }: SessionHost,
  context: AnyContext,
  { toolCalls, ending }: CallKind,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  // Hooks of an agent's life are given its scope.
  const { turnId = '' } = context.scope as AgentScope
  const turn = turns.get(turnId)?.turn ?? ending?.()
  if (turn === undefined) {
    const message = `Hook "${context.hook}" is not part of a turn that runs.`
    throw new AgentError('invalid-call', message)
  }
  const reached = limitReached(turn, toolCalls)
  if (reached !== undefined) throw new AgentError('limit-reached', reached)
  const signal = new Cancellation()
  const forget = [signal.follow(turn.signal), signal.follow(context.signal)]
  const scope = { ...turn.progress.scope, origin: 'hook' as const }
  const progress = { ...turn.progress, scope: Object.freeze(scope) }
  try {
    return await work({ ...turn, signal, parent: context, progress })
  } finally {
    turn.progress.hasActed ||= progress.hasActed
    for (const stop of forget) stop()
  }
}

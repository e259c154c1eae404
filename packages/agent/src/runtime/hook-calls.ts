import type { CancelSignal } from 'hookline'
import type {
  AgentScope,
  EndedCall,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import { Batch } from '../loop/batch.ts'
import { Cancellation } from '../loop/cancellation.ts'
import { attemptModel } from '../loop/model-attempts.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import { ModelFailure } from '../ports/model-failure.ts'
import { copyJsonObject } from '../tools/copy-json.ts'
import type { AnyContext, HookToolCall } from './runtime.ts'
import type { SessionHost } from './session-host.ts'

/** Calls a model for a hook: through every gate but its own. */
export async function callModelFor(
  host: SessionHost,
  context: AnyContext,
  request: ModelRequest,
): Promise<ModelResponse> {
  const turn = turnFor(host, context)
  const answer = await attemptModel(turn, request, { isStreamed: false })
  if (answer.type === 'answer') return answer.response
  if (answer.type === 'gave-up') throw new ModelFailure(answer.error)
  const message = `The call was ended: ${answer.reason ?? answer.status}`
  throw new ModelFailure({
    code: 'content_filtered',
    message,
    isRetryable: false,
  })
}

/** Calls a tool for a hook: through the same pipeline as the model's calls. */
export async function callToolFor(
  host: SessionHost,
  context: AnyContext,
  { tool, args: given }: HookToolCall,
): Promise<EndedCall> {
  const turn = turnFor(host, context)
  const { value: args, issue } = copyJsonObject(given)
  if (issue) throw new AgentError('unknown-call', 'The arguments are no JSON.')
  const batch = new Batch(turn)
  turn.tally.addToolCalls(1)
  const id = host.parts.nextId()
  await batch.begin({ type: 'tool_call', id, tool, args })
  const end = await batch.ends[0]
  if (end !== undefined) return end.ended
  throw new AgentError('unknown-call', 'The call has not ended.')
}

/** The turn that a hook runs in, on the hook's behalf and as long as it runs. */
function turnFor({ turns }: SessionHost, context: AnyContext): Turn {
  // Hooks of an agent's life are given its scope.
  const { turnId = '' } = context.scope as AgentScope
  const running = turns.get(turnId)
  if (running === undefined) {
    const message = `Hook "${context.hook}" is not part of a turn that runs.`
    throw new AgentError('unknown-call', message)
  }
  const { turn } = running
  const scope = Object.freeze({
    ...turn.progress.scope,
    origin: 'hook' as const,
  })
  const signal = new Cancellation()
  follow(turn.signal, signal)
  follow(context.signal, signal)
  const progress = { ...turn.progress, scope }
  return { ...turn, signal, parent: context, progress }
}

function follow(from: CancelSignal, to: Cancellation): void {
  const listener = { handleEvent: () => to.abort(from.reason) }
  if (from.aborted) listener.handleEvent()
  else from.addEventListener('abort', listener)
}

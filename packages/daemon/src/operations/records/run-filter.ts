import type { RunFilter } from '@hookline/agent/durable'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'
import { runStates } from '../../protocol/run-outcome.ts'
import { readRunCursor } from './run-cursor.ts'

/** Which runs are meant; throws for a state that none has. */
export function runFilterOf(
  input: Omit<InputOf<'listRuns'>, 'limit' | 'outcome' | 'search'>,
): RunFilter {
  const { sessionId, hook, point, since, until, after } = input
  const state = runStates.find((one) => one === input.state)
  if (input.state !== undefined && state === undefined) {
    const message = `A run is never "${input.state}"; it is one of: ${runStates.join(', ')}.`
    throw new ProtocolError('bad-request', message)
  }
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(hook !== undefined && { hook }),
    ...(point !== undefined && { point }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(after !== undefined && { after: readRunCursor(after) }),
  }
}

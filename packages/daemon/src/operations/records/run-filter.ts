import type { RunFilter } from '@hookline/agent/durable'
import type { InputOf } from '../../protocol/operations.ts'
import { readRunCursor } from './run-cursor.ts'

/** Which runs are meant. */
export function runFilterOf(
  input: Omit<InputOf<'listRuns'>, 'limit' | 'outcome' | 'search'>,
): RunFilter {
  const { sessionId, hook, point, state, since, until, after } = input
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

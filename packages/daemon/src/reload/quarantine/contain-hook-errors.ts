import { containStrayErrors } from '@hookline/agent'
import type { DurableRuntime } from '@hookline/agent/durable'
import type { Log } from '../../log/log.ts'
import type { RunningHooks } from './running-hooks.ts'

/**
 * What a hook in our own process leaves behind, a promise or a timer, ends
 * nobody's turns: the record of its run tells of it, and so does the log. All
 * other errors end the process as ever. Returns how to undo it.
 */
export function containHookErrors(
  runtime: DurableRuntime,
  parts: { readonly log: Log; readonly running: RunningHooks | undefined },
): () => void {
  const { log, running } = parts
  return containStrayErrors(runtime, {
    onStray({ hook, point, run, error }) {
      running?.survived()
      log.error('hook-left-error', { hook, point, run, error })
    },
  })
}

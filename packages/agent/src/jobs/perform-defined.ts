import type { Clock } from 'hookline'
import { errorText } from '../data/error-text.ts'
import type { JobDefinition } from './define-job.ts'
import type { LeasedJob } from './job-queue.ts'
import type { JobOutcome } from './job-worker.ts'

/** Does a job of a defined kind, for as long as it may take. */
export async function performDefined(
  { run, timeoutMs }: JobDefinition,
  job: LeasedJob,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<JobOutcome> {
  const { id, fence, attempt, sessionId, payload } = job
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const timer = clock.after(timeoutMs, () => own.abort('timed_out'))
  const cut = Promise.withResolvers<never>()
  own.signal.addEventListener('abort', () => cut.reject(own.signal.reason))
  try {
    const context = { id, fence, attempt, sessionId, signal: own.signal }
    await Promise.race([run(payload, context), cut.promise])
    return { type: 'done' }
  } catch (error) {
    const isLate = own.signal.aborted && own.signal.reason === 'timed_out'
    const reason = isLate ? 'timed_out' : 'threw'
    return { type: 'failed', failure: { reason, note: errorText(error) } }
  } finally {
    timer.stop()
    signal.removeEventListener('abort', stop)
  }
}

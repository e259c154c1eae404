import { StoreError } from '../store/store-error.ts'
import type { JobRetry } from './job-queue.ts'
import { checkRetry } from './new-job.ts'

/** What one kind of job does, and how it may be tried. */
export interface JobDefinition {
  readonly kind: string
  readonly isIdempotent: boolean
  readonly retry: JobRetry
  readonly timeoutMs: number
  readonly outlivesSession: boolean
  readonly run: (payload: unknown, context: JobContext) => Promise<void>
}

export interface DefineJobOptions<Payload> {
  /** Reads what was queued, and throws if that is no good. Any Zod schema fits. */
  readonly schema?: { parse(value: unknown): Payload }
  /** Doing it twice is as good as once; only then it can be retried. Default: false. */
  readonly isIdempotent?: boolean
  /** Default: it is tried once. */
  readonly retry?: JobRetry
  /** Default: 5 minutes. */
  readonly timeoutMs?: number
  /** It is done also when its session was deleted meanwhile. Default: false. */
  readonly outlivesSession?: boolean
  run(payload: Payload, context: JobContext): void | PromiseLike<void>
}

export interface JobContext {
  /** The same each time the job is tried. */
  readonly id: string
  /** Grows each time; what was done under a lower one may be outdated. */
  readonly fence: number
  readonly attempt: number
  readonly sessionId: string | undefined
  /** Aborted when its time is up, or when it is no longer this process's. */
  readonly signal: AbortSignal
}

const namePattern = /^[\w.:/@-]{1,128}$/

/** Says who does the jobs of a kind that hooks contribute. */
export function defineJob<Payload = unknown>(
  kind: string,
  options: DefineJobOptions<Payload>,
): JobDefinition {
  if (!namePattern.test(kind) || kind === 'hook') {
    const message =
      'A kind of job needs a name of letters, digits and . : / @ _ - (at most 128) that is not "hook".'
    throw new StoreError('invalid-options', message)
  }
  const { schema, isIdempotent = false, retry = { type: 'none' } } = options
  checkRetry(retry, isIdempotent)
  return Object.freeze<JobDefinition>({
    kind,
    isIdempotent,
    retry,
    timeoutMs: options.timeoutMs ?? 300_000,
    outlivesSession: options.outlivesSession ?? false,
    async run(payload, context) {
      // Without a schema, the payload is what the author says it is.
      const read = schema ? schema.parse(payload) : (payload as Payload)
      await options.run(read, context)
    },
  })
}

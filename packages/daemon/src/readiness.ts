import { probeStore } from '@hookline/agent/durable'
import type { Clock } from 'hookline'
import type { OutputOf } from './protocol/operations.ts'
import type { Workspace } from './reload/workspace.ts'

export interface ReadinessOptions {
  readonly clock: Clock
  /** Whether it lets turns end, and begins none. Default: it does not. */
  readonly isStopping?: () => boolean
  /** How long an answer of the store holds. Default: 1 s. */
  readonly holdMs?: number
  /** How long the store may take to answer. Default: 2 s. */
  readonly deadlineMs?: number
}

export type Readiness = () => Promise<OutputOf<'ready'>>

/**
 * Says whether turns can be taken, and what is in their way. However often it
 * is asked, the store is asked once at a time, and once in a while.
 */
export function createReadiness(
  { store, hooks }: Pick<Workspace, 'store' | 'hooks'>,
  options: ReadinessOptions,
): Readiness {
  const { clock, holdMs = 1_000, deadlineMs = 2_000 } = options
  const { isStopping = () => false } = options
  let probe: Promise<string | undefined> | undefined
  let heldUntil = 0

  const ask = async (): Promise<string | undefined> => {
    try {
      await probeStore(store.parts)
      return undefined
    } catch (error) {
      const why = error instanceof Error ? error.message : 'It failed.'
      return `The store takes no writes: ${why}`
    }
  }

  /** One that has not ended yet is waited for, whoever began it. */
  const current = () => {
    if (probe !== undefined && clock.now() < heldUntil) return probe
    heldUntil = Number.POSITIVE_INFINITY
    probe = ask().finally(() => {
      heldUntil = clock.now() + holdMs
    })
    return probe
  }

  return async () => {
    if (isStopping()) return { isReady: false, problems: [stopping] }
    const problem = await within(current(), { clock, deadlineMs })
    const problems = [problem, hooks.state.refusal].flatMap((one) => one ?? [])
    return { isReady: problems.length === 0, problems }
  }
}

const stopping = 'The daemon stops: turns may end, and none is begun.'

async function within(
  work: Promise<string | undefined>,
  {
    clock,
    deadlineMs,
  }: Pick<ReadinessOptions, 'clock'> & {
    readonly deadlineMs: number
  },
): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = clock.after(deadlineMs, () =>
    late.resolve(
      `The store does not answer within ${deadlineMs} ms; look at its disk, or at the Postgres server.`,
    ),
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    timer.stop()
  }
}

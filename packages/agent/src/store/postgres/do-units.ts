import type { Result, Unit } from '../database.ts'
import type { Hit } from '../failpoints.ts'
import { StoreError } from '../store-error.ts'
import { CommitUnknown, commitUnits } from './commit-units.ts'
import { failureOf, isConnectionLost, isRetryable } from './postgres-failure.ts'
import type { Sessions } from './sessions.ts'
import { waitMs } from './wait-ms.ts'
import { wasCommitted } from './was-committed.ts'

export interface UnitParts {
  readonly sessions: Sessions
  readonly hit: Hit | undefined
  /** How long a server that is away is waited for. */
  readonly reconnectMs: number
  readonly sabotage: PostgresSabotage
}

/** Ways to break the driver, for tests that must notice. */
export interface PostgresSabotage {
  /** Does again what may have been done. */
  readonly blindRetry?: boolean
  /** Keeps no connection for what is urgent. */
  readonly withoutReserve?: boolean
  /** Acknowledges what is in the server's memory only. */
  readonly withoutSync?: boolean
}

type UnitResults = readonly (readonly Result[])[]

/**
 * Does units together, again where that is safe: when they were in another's
 * way, and when the connection was lost before the commit. Afterwards the
 * server is asked what became of it.
 */
export async function doUnits(
  units: readonly Unit[],
  parts: UnitParts,
): Promise<UnitResults> {
  const { sessions, hit, reconnectMs, sabotage } = parts
  const endsAt = performance.now() + reconnectMs
  const names = [...new Set(units.map(({ name }) => name))].join(', ')
  let collisions = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sessions.use((session) =>
        commitUnits(units, { session, hit }),
      )
    } catch (error) {
      const settled = await settle(error)
      if (settled !== undefined) return settled
      await waitMs(pauseMs(attempt))
    }
  }

  /** Results if it is done after all, nothing if it is to be done again. */
  async function settle(error: unknown): Promise<UnitResults | undefined> {
    if (error instanceof CommitUnknown) return await resolveUnknown(error)
    if (isRetryable(error)) {
      collisions += 1
      if (collisions > maxCollisions) throw failureOf(error, names)
      return undefined
    }
    const isLost = isConnectionLost(error)
    if (!isLost || performance.now() > endsAt) throw failureOf(error, names)
    return undefined
  }

  async function resolveUnknown(
    unknown: CommitUnknown,
  ): Promise<UnitResults | undefined> {
    if (sabotage.blindRetry === true) return undefined
    const { receipt, results } = unknown
    const isThere = await wasCommitted(receipt, { sessions, endsAt })
    if (isThere !== undefined) return isThere ? results : undefined
    throw new StoreError(
      'unavailable',
      `${names}: the connection to Postgres was lost while it was to be committed; it may or may not be there. Look at the server.`,
      unknown,
    )
  }
}

const maxCollisions = 5

/** Longer each time, and not the same for all who collide. */
function pauseMs(attempt: number): number {
  return Math.random() * Math.min(5 * 2 ** attempt, 250)
}

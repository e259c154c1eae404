import type { Result, Unit } from '../database.ts'
import type { UnitParts } from './do-units.ts'
import { failureOf, isConnectionLost } from './postgres-failure.ts'
import { waitMs } from './wait-ms.ts'

/** Reads; again if the connection was lost, as a read changes nothing. */
export async function readAgain(
  { name, statements }: Unit,
  { sessions, reconnectMs }: UnitParts,
): Promise<readonly Result[]> {
  const endsAt = performance.now() + reconnectMs
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, 250)) {
    try {
      return await sessions.use((session) => session.run(statements))
    } catch (error) {
      const isOver = performance.now() > endsAt
      if (!isConnectionLost(error) || isOver) throw failureOf(error, name)
    }
    await waitMs(pauseMs)
  }
}

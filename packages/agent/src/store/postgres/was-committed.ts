import { type Receipt, readReceipt } from './commit-receipts.ts'
import { isConnectionLost } from './postgres-failure.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import { waitMs } from './wait-ms.ts'

/**
 * Looks up what became of a transaction whose commit was never answered.
 * Undefined if that cannot be found out in time.
 */
export async function wasCommitted(
  receipt: Receipt,
  { sessions, endsAt }: { sessions: Sessions; endsAt: number },
): Promise<boolean | undefined> {
  for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, 250)) {
    const found = await sessions
      .use((session) => lookUp(receipt, session))
      .catch(ignoreLost)
    if (found !== undefined) return found
    if (performance.now() + pauseMs > endsAt) return undefined
    await waitMs(pauseMs)
  }
}

/** Undefined while the process that served the lost connection still runs. */
async function lookUp(
  { session: name, token }: Receipt,
  session: Session,
): Promise<boolean | undefined> {
  // It may never have got the word, and wait for it with all its locks.
  const [ended] = await session.run([{ sql: endProcess, values: [name] }])
  if (ended === undefined || ended.rows.length > 0) return undefined
  const [found] = await session.run([{ sql: readReceipt, values: [name] }])
  return found?.rows[0]?.['token'] === token
}

function ignoreLost(error: unknown): undefined {
  if (!isConnectionLost(error)) throw error
  return undefined
}

/** Each connection has a name of its own there. */
const endProcess = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = ?`

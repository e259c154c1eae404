import type { StoreParts } from '../parts.ts'
import type { HeldSession } from './held-session.ts'
import { replay, snapshotText } from './replay.ts'
import { readState, writeSnapshot } from './statements.ts'

/**
 * Saves a session as a whole, made of what the database has, so that loading
 * it comes to the same. Tells how many entries it made superfluous.
 */
export async function saveSnapshot(
  { info, fence }: HeldSession,
  { database, payloads, worker }: StoreParts,
): Promise<number> {
  const { id } = info
  const rows = await database.read({ sql: readState, values: [id, id, id] })
  const replayed = replay(info, rows, payloads)
  const text = snapshotText(replayed, payloads)
  const values = [replayed.seq, text, id, worker, fence]
  await database.write({
    name: 'session.snapshot',
    statements: [{ sql: writeSnapshot, values }],
    isPatient: true,
  })
  return replayed.replayed
}

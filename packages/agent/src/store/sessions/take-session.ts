import type { SessionInfo, StoredSession } from '../../ports/store.ts'
import { storedSession } from '../apply-entry.ts'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { brokenJournal, replay } from './replay.ts'
import { infoOf, titleIn } from './session-info.ts'
import { claimSession, readState, releaseSession } from './statements.ts'

export interface TakenSession {
  readonly info: SessionInfo
  readonly fence: number
  /** The last entry, and how many come after the last snapshot. */
  readonly seq: number
  readonly unsaved: number
  readonly stored: StoredSession
}

/**
 * Takes a session and reads it in one. Rejects with `conflict` if it is not
 * there, or somebody else's. One that cannot be read is given back: others may
 * have what is needed for it.
 */
export async function takeSession(
  parts: StoreParts,
  sessionId: string,
): Promise<TakenSession> {
  const { database, worker } = parts
  const claim = [worker, sessionId, worker]
  const [claimed, kept] = await database.write({
    name: 'session.load',
    statements: [
      { sql: claimSession, values: claim, expects: 1 },
      { sql: readState, values: [sessionId, sessionId, sessionId] },
    ],
  })
  const row = claimed?.rows[0] ?? {}
  const fence = Number(row['fence'])
  try {
    return { fence, ...readTaken(parts, sessionId, [row, kept?.rows ?? []]) }
  } catch (error) {
    // Why it cannot be read is what is told.
    await giveBack(parts, sessionId, fence).catch(() => {})
    throw error
  }
}

function readTaken(
  { payloads }: StoreParts,
  sessionId: string,
  [row, kept]: readonly [Row, readonly Row[]],
): Omit<TakenSession, 'fence'> {
  const info = infoOf(sessionId, row, payloads)
  const { seq, replayed, state } = replay(info, kept, payloads)
  if (seq !== Number(row['seq'])) throw brokenJournal(sessionId)
  const stored = storedSession(state, titleIn(row))
  return { info, seq, unsaved: replayed, stored }
}

/** Lets go of a session that was taken with this fence, if nobody took it since. */
export async function giveBack(
  { database, worker }: StoreParts,
  sessionId: string,
  fence: number,
): Promise<void> {
  const values = [sessionId, worker, fence]
  const statements = [{ sql: releaseSession, values }]
  await database.write({ name: 'session.release', statements })
}

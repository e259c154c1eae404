import type { StoredSession } from '../../ports/store.ts'
import { storedSession } from '../apply-entry.ts'
import type { StoreParts } from '../parts.ts'
import { replay } from './replay.ts'
import { infoOf, titleIn } from './session-info.ts'
import { readState } from './statements.ts'

const readInfo = 'SELECT title, created_at, payload FROM sessions WHERE id = ?'

/**
 * A session as its journal has it, whoever has it now; nobody loses it by that.
 * Undefined if there is none.
 */
export async function readStoredSession(
  { database, payloads }: StoreParts,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const [row] = await database.read({ sql: readInfo, values: [sessionId] })
  if (row === undefined) return undefined
  const info = infoOf(sessionId, row, payloads)
  const rows = await database.read({
    sql: readState,
    values: [sessionId, sessionId, sessionId],
  })
  return storedSession(replay(info, rows, payloads).state, titleIn(row))
}

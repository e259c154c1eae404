import { AgentError } from '../../ports/agent-error.ts'
import type { SessionInfo } from '../../ports/store.ts'
import type { Payloads } from '../content/payloads.ts'
import type { Row } from '../database.ts'

/** What has to be exact of a session; the other columns are for showing. */
type ExactInfo = Pick<SessionInfo, 'agent' | 'cwd' | 'parent'>

export function infoText(info: SessionInfo, payloads: Payloads): string {
  const { agent, cwd, parent } = info
  const exact: ExactInfo = { agent, cwd, ...(parent && { parent }) }
  return payloads.write(exact, ['sessions', info.id])
}

export function infoOf(id: string, row: Row, payloads: Payloads): SessionInfo {
  const { created_at: createdAt, payload } = row
  if (payload === null) throw contentRemoved(id)
  // Only `infoText` writes there.
  const exact = payloads.read(String(payload), ['sessions', id]) as ExactInfo
  return { id, ...exact, createdAt: Number(createdAt) }
}

/** What a session is called, by its row. */
export function titleIn({ title = null }: Row): string | null {
  return title === null ? null : String(title)
}

export function contentRemoved(sessionId: string): AgentError {
  const message = `The content of session "${sessionId}" was removed, so it cannot go on.`
  return new AgentError('session-ended', message)
}

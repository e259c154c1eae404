import {
  getSession,
  listSessions,
  readStoredSession,
} from '@hookline/agent/durable'
import type { PendingQuestions } from '@hookline/agent/plugins'
import type { HostParts } from './host-parts.ts'

/** How many of the newest sessions are looked into. */
const maxSessions = 200
const askTool = 'ask_user'

/** Questions that another daemon asks, as the journals of its sessions have them. */
export async function remoteQuestions(
  parts: HostParts,
  sessionId: string | undefined,
): Promise<readonly PendingQuestions[]> {
  const ids = await remoteSessions(parts, sessionId)
  const found = await Promise.all(ids.map((id) => questionsIn(parts, id)))
  return found.flat()
}

async function remoteSessions(
  { store: { parts } }: HostParts,
  sessionId: string | undefined,
): Promise<readonly string[]> {
  const one = sessionId && (await getSession(parts, sessionId))
  const some =
    sessionId === undefined
      ? (await listSessions(parts, { limit: maxSessions })).items
      : [one].flatMap((known) => known || [])
  const isElsewhere = (worker: string | null) =>
    worker !== null && worker !== parts.worker
  return some.flatMap(({ id, worker }) => (isElsewhere(worker) ? [id] : []))
}

async function questionsIn(
  { store, hub }: HostParts,
  sessionId: string,
): Promise<readonly PendingQuestions[]> {
  const stored = await hub.gate.run(() =>
    readStoredSession(store.parts, sessionId),
  )
  const calls = [...(stored?.openTurn?.calls ?? [])]
  return calls.flatMap(([callId, { sealed, ended }]) => {
    if (sealed?.call.tool !== askTool || ended !== undefined) return []
    const agent = stored?.info.agent ?? ''
    // The schema of the tool was checked before the call was sealed.
    const { questions } = sealed.call.args as unknown as PendingQuestions
    return [{ sessionId, callId, agent, questions }]
  })
}

import type { ListedSession as StoredSession } from '@hookline/agent/durable'
import type { InputOf } from '../protocol/operations.ts'
import type { ListedSession } from '../protocol/schemas/sessions.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'

interface Desk {
  readonly parts: Pick<HostParts, 'store'>
  readonly sessions: Pick<HeldSessions, 'get'>
}

/** A session as it is told, with what it does now. */
export function listedOf(
  { parts, sessions }: Desk,
  { openTurn, isAsking, ...session }: StoredSession,
): ListedSession {
  const { id, endReason, worker } = session
  if (endReason !== null) return { ...session, state: 'ended' }
  const turn = openTurn !== null && { turnId: openTurn }
  const held = sessions.get(id)
  if (held !== undefined) {
    const { state, run } = held
    if (state === 'interrupted') return { ...session, ...turn, state }
    return { ...session, state, ...(run && { turnId: run.turnId }) }
  }
  if (worker !== null && worker !== parts.store.parts.worker) {
    return { ...session, ...turn, state: 'elsewhere' }
  }
  if (openTurn === null) return { ...session, state: 'idle' }
  return { ...session, ...turn, state: isAsking ? 'waiting' : 'interrupted' }
}

/** Which sessions were asked for; undefined: all of them. */
export function wantedSession(
  desk: Desk,
  { state, search = '' }: Pick<InputOf<'listSessions'>, 'state' | 'search'>,
): ((session: StoredSession) => boolean) | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (state === undefined && words.length === 0) return undefined
  return (session) => {
    const { id, title, agent, cwd } = session
    const text = `${id} ${title ?? ''} ${agent} ${cwd}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return false
    return state === undefined || listedOf(desk, session).state === state
  }
}

import type { SessionEndReason } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import { Conversation } from '../loop/conversation.ts'
import type { StoredSession } from '../ports/store.ts'
import type { Agents } from './agents.ts'
import { letGo } from './let-go.ts'
import { type AdoptedAgent, RegisteredAgent } from './registered-agent.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'

/**
 * Brings to an end what others were doing for a session when its process
 * stopped: nobody waits for it any more. What cannot be ended is alarmed, and
 * left to whoever opens the session next.
 */
export async function endOrphans(
  host: SessionHost,
  agents: Agents,
  sessionId: string,
): Promise<void> {
  const { store, alarm } = host.parts
  if (store?.children === undefined) return
  for (const id of await settled(store.children(sessionId))) {
    try {
      await endKept(host, agents, { id })
    } catch {
      alarm('orphan-left', id)
    }
  }
}

interface Ending {
  readonly id: string
  /** Default: it is closed. */
  readonly reason?: SessionEndReason | undefined
}

/**
 * Ends a session that is kept without beginning it again: whether there was one
 * to end.
 */
export async function endKept(
  host: SessionHost,
  agents: Agents,
  { id, reason }: Ending,
): Promise<boolean> {
  const { store } = host.parts
  // Others may have worked for it, in turn.
  await endOrphans(host, agents, id)
  const stored = await settled(store?.load(id))
  if (stored === undefined) return false
  try {
    if (stored.isEnded) return false
    await closeSession(host, adoptedOf(agents, stored), { stored, reason })
    return true
  } finally {
    await letGo(host, id)
  }
}

/**
 * Its agent may be gone: one that was made for the task is. Then whoever it
 * worked for stands in for it, to end what is left; if nobody is here of whom
 * it had anything, the hooks of all are told.
 */
function adoptedOf(
  agents: Agents,
  { info: { agent: name, parent } }: StoredSession,
): AdoptedAgent {
  const above = parent?.agents ?? []
  const isHere = (wanted: string) =>
    agents.all.some(({ name: one, isLeaving }) => one === wanted && !isLeaving)
  const gone = [...above, name].findIndex((one) => !isHere(one))
  if (gone === -1) return agents.adoptFor(name, above)
  const known = above.slice(0, gone)
  if (known.length === 0) {
    return { agent: agents.standIn(name, above), release: async () => {} }
  }
  const adopted = agents.adoptFor(known.at(-1) ?? '', known.slice(0, -1))
  const { table, ...live } = adopted.agent
  const config = { ...live.config, name }
  const agent = new RegisteredAgent({ ...live, config, parents: above }, table)
  return { ...adopted, agent }
}

/** Hooks hear of its end, as of any other. */
async function closeSession(
  host: SessionHost,
  { agent, release }: AdoptedAgent,
  { stored, reason }: Pick<Ending, 'reason'> & { stored: StoredSession },
): Promise<void> {
  const { info, messages, turns, openTurn } = stored
  const sessions = info.parent?.sessions ?? []
  const session = new Session(host, agent, {
    id: info.id,
    cwd: info.cwd,
    conversation: new Conversation(messages),
    turns,
    inputs: new Map(),
    opening: [],
    openTurn,
    works: { sessions, limits: [], release },
  })
  await session.close(reason)
}

import { settled } from '../data/promise-like.ts'
import { Conversation } from '../loop/conversation.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { StoredSession, TurnEnded } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import type { Agents } from './agents.ts'
import type { SessionOptions } from './runtime.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { startSession, storeSession } from './start-session.ts'

/** Begins a session, or goes on with one that is kept. */
export async function openSession(
  host: SessionHost,
  agents: Agents,
  options: SessionOptions,
): Promise<Session> {
  const { parts } = host
  const agent = agents.get(options.agent)
  const id = options.id ?? parts.nextId()
  if (typeof id !== 'string' || id === '') {
    throw new AgentError('invalid-config', 'The id of a session is a text.')
  }
  const loaded = parts.store && settled(parts.store.load(id))
  const stored = loaded instanceof Promise ? await loaded : loaded
  if (stored !== undefined && stored.info.agent !== agent.name) {
    const message = `Session "${id}" belongs to agent "${stored.info.agent}".`
    throw new AgentError('unknown-session', message)
  }
  if (stored?.isEnded) {
    const message = `Session "${id}" has ended, and cannot go on.`
    throw new AgentError('session-closed', message)
  }
  const cwd = options.cwd ?? stored?.info.cwd ?? ''
  const source = stored === undefined ? 'new' : 'resume'
  const { actor } = options
  const opening = await startSession(host, agent, { id, cwd, source, actor })
  if (stored === undefined) await storeSession(host, agent, { id, cwd })
  return new Session(host, agent, {
    id,
    cwd,
    conversation: new Conversation(stored?.messages),
    turns: stored?.turns ?? 0,
    inputs: stored === undefined ? noInputs : resultsOf(stored),
    opening,
    openTurn: stored?.openTurn,
    actor,
  })
}

const noInputs: ReadonlyMap<string, TurnResult> = new Map()

function resultsOf({ inputs }: StoredSession) {
  const ended = [...inputs]
  return new Map(ended.map(([id, entry]) => [id, resultOf(entry)]))
}

/** As much of a result as the journal has kept. */
function resultOf({ turnId, status, summary }: TurnEnded): TurnResult {
  const { replyPreview: text, usage, steps, errorPreview } = summary
  return {
    turnId,
    status,
    reply: [{ type: 'text', text }],
    text,
    usage,
    steps,
    ...(errorPreview !== undefined && {
      error: { code: 'earlier', message: errorPreview },
    }),
  }
}

import {
  type AgentScope,
  mergeContext,
  promptContext,
  sessionStart,
} from 'hookline/lifecycle'
import { Conversation } from '../loop/conversation.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { StoredSession, TurnEnded } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import type { Agents } from './agents.ts'
import type { SessionOptions } from './runtime.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'

/** Begins a session, or goes on with one that is kept. */
export async function openSession(
  host: SessionHost,
  agents: Agents,
  options: SessionOptions,
  open: ReadonlyMap<string, Session>,
): Promise<Session> {
  const { parts } = host
  const agent = agents.get(options.agent)
  const id = options.id ?? parts.nextId()
  if (open.has(id)) {
    const message = `Session "${id}" is open already.`
    throw new AgentError('session-exists', message)
  }
  const loaded = parts.store?.load(id)
  const stored = loaded instanceof Promise ? await loaded : loaded
  if (stored !== undefined && stored.info.agent !== agent.name) {
    const message = `Session "${id}" belongs to agent "${stored.info.agent}".`
    throw new AgentError('unknown-session', message)
  }
  const cwd = options.cwd ?? stored?.info.cwd ?? ''
  const scope: AgentScope = {
    agent: agent.name,
    origin: 'user',
    coreType: agent.core.type,
    sessionId: id,
    cwd,
    ...(options.actor && { actor: options.actor }),
  }
  const state = host.stateAt({ session: id, agent: agent.name })
  const source = stored === undefined ? 'new' : 'resume'
  const started = await parts.engine.run(
    sessionStart,
    { source, cwd },
    { scope, state, table: agent.table },
  )
  if (started.type === 'reject') {
    host.endState('session', id)
    const message = `The session was refused: ${started.reason}`
    throw new AgentError('session-refused', message)
  }
  if (stored === undefined) {
    const createdAt = parts.clock.wallAt(parts.clock.now())
    await parts.store?.create({ id, agent: agent.name, cwd, createdAt })
  }
  const { contributions } = started
  return new Session(host, agent, {
    id,
    cwd,
    conversation: new Conversation(stored?.messages),
    turns: stored?.turns ?? 0,
    inputs: stored === undefined ? noInputs : resultsOf(stored),
    context:
      contributions.all.length === 0
        ? []
        : mergeContext(contributions.of(promptContext)).entries,
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

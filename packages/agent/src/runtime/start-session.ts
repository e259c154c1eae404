import { type Contributions, HookError } from 'hookline'
import {
  type Actor,
  type MergedEntry,
  mergeContext,
  promptContext,
  type SessionSource,
  sessionStart,
} from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import { askOutside } from './ask-outside.ts'
import { endSession } from './end-session.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionHost } from './session-host.ts'

export interface StartedSession {
  readonly id: string
  readonly cwd: string
  readonly source: SessionSource
  readonly actor?: Actor | undefined
}

/** What hooks want the model to know, and at which point they said so. */
export interface OpeningContext {
  readonly point: string
  readonly entries: readonly MergedEntry[]
}

/** Asks hooks whether a session may begin or go on; throws if it may not. */
export async function startSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { id, cwd, source, actor }: StartedSession,
): Promise<readonly OpeningContext[]> {
  const place = { sessionId: id, cwd, ...(actor && { actor }) }
  const input = { source, cwd }
  try {
    const asked = askOutside(host, agent, sessionStart, input, place)
    const started = asked instanceof Promise ? await asked : asked
    if (started.type === 'reject') throw refusal(started.reason)
    return openingOf(started.contributions)
  } catch (error) {
    host.endState('session', id)
    throw error instanceof HookError ? refusal(error.message, error) : error
  }
}

function refusal(reason: string, cause?: unknown): AgentError {
  const message = `The session was refused: ${reason}`
  return new AgentError('session-refused', message, cause)
}

function openingOf(contributions: Contributions): readonly OpeningContext[] {
  if (contributions.all.length === 0) return []
  const { entries } = mergeContext(contributions.of(promptContext))
  return [{ point: sessionStart.name, entries }]
}

/** Keeps a new session, if anything is kept; else it never began. */
export async function storeSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { id, cwd }: Pick<StartedSession, 'id' | 'cwd'>,
): Promise<void> {
  const { clock, store } = host.parts
  if (store === undefined) return
  try {
    const createdAt = Math.floor(clock.wallAt(clock.now()))
    await store.create({ id, agent: agent.name, cwd, createdAt })
  } catch (error) {
    // It cannot be written down that a session ended which is not there.
    await endSession(host, agent, { id, cwd }, 'closed').catch(() => {})
    throw error
  }
}

import { type Contributions, HookError, type MaybePromise } from 'hookline'
import {
  type Actor,
  type MergedEntry,
  mergeContext,
  promptContext,
  type SessionSource,
  sessionStart,
} from 'hookline/lifecycle'
import { namelessText } from '../data/error-text.ts'
import { settled } from '../data/promise-like.ts'
import { attempt } from '../loop/chain.ts'
import { tellContext } from '../loop/edits.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { SessionInfo, SessionParent } from '../ports/store.ts'
import { askOutside } from './ask-outside.ts'
import { endSession, endSessionState } from './end-session.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionHost } from './session-host.ts'

export interface StartedSession {
  readonly id: string
  readonly cwd: string
  readonly source: SessionSource
  readonly actor?: Actor | undefined
  /** For whom it works. */
  readonly parent?: SessionParent | undefined
}

/** What hooks want the model to know, and at which point they said so. */
export interface OpeningContext {
  readonly point: string
  readonly entries: readonly MergedEntry[]
}

/** Asks hooks whether a session may begin or go on; throws if it may not. */
export function startSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { id, cwd, source, actor, parent }: StartedSession,
): MaybePromise<readonly OpeningContext[]> {
  const where = { sessionId: id, cwd, tree: parent?.sessions[0] }
  const place = actor === undefined ? where : { ...where, actor }
  const input = { source, cwd }
  const fail = (error: unknown): never => {
    endSessionState(host, id)
    throw error instanceof HookError
      ? refusal(namelessText(error), error)
      : error
  }
  return attempt(
    () => askOutside(host, agent, sessionStart, input, place),
    (started) => {
      if (started.type === 'reject') return fail(refusal(started.reason))
      return openingOf(agent, started.contributions)
    },
    fail,
  )
}

function refusal(reason: string, cause?: unknown): AgentError {
  const message = `The session was refused: ${reason}`
  return new AgentError('session-refused', message, cause)
}

function openingOf(
  { config }: RegisteredAgent,
  contributions: Contributions,
): readonly OpeningContext[] {
  if (contributions.all.length === 0) return []
  const { entries } = mergeContext(
    contributions.of(promptContext),
    config.budgets?.context,
  )
  return [{ point: sessionStart.name, entries }]
}

/** Has the first turn begin with what hooks said when the session did. */
export function showOpening(
  turn: Turn,
  opening: readonly OpeningContext[],
): void {
  turn.progress.context = opening.flatMap(({ entries }) => entries)
  for (const { point, entries } of opening) tellContext(turn, point, entries)
}

/** Keeps a new session, if anything is kept; else it never began. */
export function storeSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { id, cwd, parent }: Pick<StartedSession, 'id' | 'cwd' | 'parent'>,
  create?: (info: SessionInfo) => Promise<void>,
): MaybePromise<void> {
  const { clock, store } = host.parts
  const keep = create ?? (store && ((info) => store.create(info)))
  if (keep === undefined) return
  const createdAt = Math.floor(clock.wallAt(clock.now()))
  const info = { id, agent: agent.name, cwd, createdAt }
  return attempt(
    () => settled(keep(parent === undefined ? info : { ...info, parent })),
    () => {},
    async (error) => {
      // It cannot be written down that a session ended which is not there.
      try {
        const begun = { id, cwd, works: parent }
        await endSession(host, agent, { begun }, 'closed')
      } catch {
        // That it could not be stored is what is told.
      }
      throw error
    },
  )
}

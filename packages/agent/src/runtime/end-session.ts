import type { MaybePromise } from 'hookline'
import { type SessionEndReason, sessionEnd } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import { attempt, chain } from '../loop/chain.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { SessionParent } from '../ports/store.ts'
import { askOutside } from './ask-outside.ts'
import { openEnding } from './ending-turn.ts'
import { letGo } from './let-go.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { Sent } from './sent.ts'
import type { SessionHost } from './session-host.ts'

interface EndingSession {
  readonly begun: {
    readonly id: string
    readonly cwd: string
    /** For whom it works. */
    readonly works?: Pick<SessionParent, 'sessions'> | undefined
  }
  /** Makes what hooks ask a model on behalf of; absent: they cannot. */
  readonly turnFor?: (sent: Sent) => Turn
}

/** Tells hooks that a session is over for good, and forgets its state. */
export function endSession(
  host: SessionHost,
  agent: RegisteredAgent,
  { begun, turnFor }: EndingSession,
  reason: SessionEndReason,
): MaybePromise<void> {
  const { id, cwd, works } = begun
  const place = { sessionId: id, cwd, tree: works?.sessions[0] }
  // Where no hook is told, none can ask.
  const isTold = agent.table.plans.has(sessionEnd.name)
  const closeEnding =
    turnFor && isTold ? openEnding(host, id, turnFor) : undefined
  const record = () => {
    closeEnding?.()
    const { store } = host.parts
    const kept =
      reason === 'deleted'
        ? store?.delete(id)
        : store?.append(id, [{ type: 'session-end', reason }])
    return settled(kept)
  }
  return attempt(
    () => chain(askOutside(host, agent, sessionEnd, { reason }, place), record),
    () => {
      endSessionState(host, id)
      if (reason === 'deleted') forgetSession(host, id)
    },
    async (error) => {
      closeEnding?.()
      endSessionState(host, id)
      // It has not ended, and is open to whoever comes next.
      await letGo(host, id)
      throw error
    },
  )
}

/** Hooks may still hear how its last turn ended, and say something to that. */
function forgetSession(host: SessionHost, id: string): void {
  const { store, alarm } = host.parts
  if (store?.forget === undefined) return
  const forget = async () => {
    await host.settled(id)
    try {
      await store.forget?.(id)
    } catch {
      alarm('remains-left', id)
    }
  }
  host.track(forget())
}

/** What is shared with those it works for ends with them. */
export function endSessionState({ endState }: SessionHost, id: string): void {
  endState('session', id)
  endState('tree', id)
}

export function closedSession(id: string): AgentError {
  const message = `Session "${id}" takes no more turns.`
  return new AgentError('session-closed', message)
}

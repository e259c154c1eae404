import type { ScopeIds, State } from 'hookline'
import type { EventBus } from '../events/event-bus.ts'
import type { LoopParts } from '../loop/parts.ts'
import type { Turn } from '../loop/turn.ts'
import type { BackgroundPort } from '../ports/background.ts'
import type { Session } from './session.ts'
import type { RunningTurn } from './start-turn.ts'

/** What sessions need of the runtime that they are part of. */
export interface SessionHost {
  readonly parts: LoopParts
  readonly bus: EventBus
  readonly stateAt: (ids: ScopeIds) => State
  readonly endState: (scope: string, id: string) => void
  /** A turn has begun or ended; hooks may ask on its behalf meanwhile. */
  readonly turns: Map<string, RunningTurn>
  /** Sessions that end, and on whose behalf hooks may ask a model meanwhile. */
  readonly endings: Map<string, () => Turn>
  /** Work that agents do for others. */
  readonly delegations: Set<Delegation>
  /** Has tasks done that nobody waits for, if anybody does. */
  readonly background: BackgroundPort | undefined
  /**
   * Something goes on, perhaps for a session, that whoever closes the runtime
   * waits for.
   */
  readonly track: (work: Promise<unknown>, sessionId?: string) => void
  /** Settles when nothing goes on of what was tracked for a session. */
  readonly settled: (sessionId: string) => Promise<void>
  /** All that hooks were told of a turn's events has been told. */
  readonly flushEvents: (turnId: string) => void
  readonly forget: (sessionId: string) => void
}

/** A task that one agent does for another. */
interface Delegation {
  readonly session: Session
  /** Settles when nothing of it is left. */
  readonly done: Promise<void>
}

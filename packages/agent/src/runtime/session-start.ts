import type { Actor, AgentLimits } from 'hookline/lifecycle'
import type { Conversation } from '../loop/conversation.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { KnownInput } from './known-inputs.ts'
import type { OpeningContext } from './start-session.ts'
import type { RunningTurn } from './start-turn.ts'

/** Whom a session works for. */
export interface SessionWork {
  /** Their sessions, outermost first. */
  readonly sessions: readonly string[]
  /** Of those that do not wait for it. */
  readonly limits: readonly AgentLimits[]
  /** It is let go of, here or for good. */
  readonly release: () => Promise<void>
}

/** What a session begins with. */
export interface SessionStart {
  readonly id: string
  readonly cwd: string
  readonly conversation: Conversation
  /** How many turns it has had. */
  readonly turns: number
  /** Inputs that were answered before, by the ids of their senders. */
  readonly inputs: ReadonlyMap<string, KnownInput>
  /** On whose behalf turns are, unless they say otherwise. */
  readonly actor?: Actor | undefined
  /** What hooks contributed when it started. */
  readonly opening: readonly OpeningContext[]
  /** What another process has left of a turn. */
  readonly openTurn?: OpenTurn | undefined
  /** The turn that it works for and that waits, if it is a sub-agent's. */
  readonly parent?: RunningTurn
  /** For whom it works, and under whose limits. */
  readonly works?: SessionWork | undefined
}

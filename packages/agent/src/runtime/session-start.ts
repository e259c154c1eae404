import type { Actor } from 'hookline/lifecycle'
import type { Conversation } from '../loop/conversation.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import type { OpeningContext } from './start-session.ts'
import type { RunningTurn } from './start-turn.ts'

/** What a session begins with. */
export interface SessionStart {
  readonly id: string
  readonly cwd: string
  readonly conversation: Conversation
  /** How many turns it has had. */
  readonly turns: number
  /** Inputs that were answered before, by the ids of their senders. */
  readonly inputs: ReadonlyMap<string, TurnResult>
  /** On whose behalf turns are, unless they say otherwise. */
  readonly actor?: Actor | undefined
  /** What hooks contributed when it started. */
  readonly opening: readonly OpeningContext[]
  /** What another process has left of a turn. */
  readonly openTurn?: OpenTurn | undefined
  /** The turn that it works for, if it is a sub-agent's. */
  readonly parent?: RunningTurn
}

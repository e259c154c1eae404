import type { TurnSession } from '../loop/parts.ts'
import type { Turn } from '../loop/turn.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { Sent } from './sent.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStart } from './session-start.ts'
import { startTurn } from './start-turn.ts'

/** What a session has for each of its turns. */
export interface SessionOfTurn {
  readonly agent: RegisteredAgent
  readonly begun: SessionStart
  /** The how many-th it is. */
  readonly number: number
  readonly nextSeq: () => number
  readonly forward: TurnSession['forward']
}

/** A turn of a session, for what was said. */
export function turnOf(
  host: SessionHost,
  sent: Sent,
  { agent, begun, number, nextSeq, forward }: SessionOfTurn,
): Turn {
  const { id, cwd, conversation, actor, parent, works } = begun
  return startTurn(host, {
    // Written out: to spread it costs every turn more than all of this.
    id: sent.id,
    bus: sent.bus,
    options: sent.options,
    output: sent.output,
    digest: sent.digest,
    open: sent.open,
    isAbandoned: sent.isAbandoned,
    number,
    agent,
    session: { id, cwd, within: works?.sessions ?? [], forward },
    conversation,
    actor: sent.options.actor ?? actor,
    nextSeq,
    signal: sent.controller,
    parent,
    above: works?.limits ?? [],
  })
}

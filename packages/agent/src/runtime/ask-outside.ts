import type {
  InputOf,
  MaybePromise,
  Outcome,
  Point,
  RunOptions,
  State,
  Table,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { passOn } from '../loop/ask.ts'
import { chain } from '../loop/chain.ts'
import type { LoopParts } from '../loop/parts.ts'

/** A moment that is part of no turn. */
export interface Moment {
  readonly scope: AgentScope
  readonly state: State
  readonly table: Table
}

/** Asks a point about such a moment. */
export function askOutside<P extends Point>(
  parts: LoopParts,
  point: P,
  input: InputOf<P>,
  moment: Moment,
): MaybePromise<Outcome<P>> {
  const about: RunOptions = moment
  // The scope is right: all points that a runtime asks are an agent's.
  const asked = parts.engine.run(point, input, about as RunOptions<P>)
  return chain(asked, (outcome: Outcome<P>) => {
    passOn(parts, outcome, moment.scope)
    return outcome
  })
}

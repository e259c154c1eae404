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

/** Asks a point about a moment that is part of no turn. */
export function askOutside<P extends Point>(
  parts: LoopParts,
  point: P,
  input: InputOf<P>,
  scope: AgentScope,
  state: State,
  table: Table,
): MaybePromise<Outcome<P>> {
  const about: RunOptions = { scope, state, table }
  // The scope is right: all points that a runtime asks are an agent's.
  const asked = parts.engine.run(point, input, about as RunOptions<P>)
  const follow = (outcome: Outcome<P>) => {
    passOn(parts, outcome, scope)
    return outcome
  }
  return chain(asked, follow)
}

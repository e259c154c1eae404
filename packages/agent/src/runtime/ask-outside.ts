import {
  emptyTable,
  type InputOf,
  type MaybePromise,
  type Outcome,
  type Point,
  type RunOptions,
  type ScopeIds,
  type State,
  type Table,
} from 'hookline'
import { passOn } from '../loop/ask.ts'
import { chain } from '../loop/chain.ts'
import type { LoopParts } from '../loop/parts.ts'
import { type AgentIdentity, type Place, scopeOf } from './scope-of.ts'
import { sessionIds } from './session-ids.ts'

interface AskHost {
  readonly parts: LoopParts
  readonly stateAt: (ids: ScopeIds) => State
}

const toNobody = Object.freeze({ table: emptyTable })
const nowhere: OutsidePlace = Object.freeze({})

/** Where it is; `tree` is the session at the top, where that is another one. */
export interface OutsidePlace extends Place {
  readonly tree?: string | undefined
}

/** Asks a point about a moment of an agent that is part of no turn. */
export function askOutside<P extends Point>(
  { parts, stateAt }: AskHost,
  agent: AgentIdentity & { readonly table: Table },
  point: P,
  input: InputOf<P>,
  given: OutsidePlace = nowhere,
): MaybePromise<Outcome<P>> {
  const { name, table } = agent
  // Where there is no hook, nobody is told the moment.
  if (!table.plans.has(point.name)) {
    return parts.engine.run(point, input, toNobody)
  }
  const { tree, ...place } = given
  const { sessionId } = place
  const ids = {
    agent: name,
    ...(sessionId && sessionIds(sessionId, tree)),
  }
  const scope = scopeOf(agent, place)
  const moment: RunOptions = { scope, state: stateAt(ids), table }
  // The scope is right: all points that a runtime asks are an agent's.
  const asked = parts.engine.run(point, input, moment as RunOptions<P>)
  return chain(asked, (outcome: Outcome<P>) => {
    passOn(parts, outcome, scope)
    return outcome
  })
}

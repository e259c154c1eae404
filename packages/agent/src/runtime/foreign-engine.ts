import type { Engine, State, Table } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { passOn } from '../loop/ask.ts'
import type { LoopParts } from '../loop/parts.ts'

export interface ForeignParts extends Pick<LoopParts, 'collect' | 'alarm'> {
  readonly engine: Engine
  readonly tableOf: (agent: string) => Table
  readonly stateAt: (scope: AgentScope) => State | Promise<State>
}

/**
 * The hooks of an agent for agents of another product, as they are now. What
 * hooks leave to be done is done as it is for ours.
 */
export function createForeignEngine(
  parts: ForeignParts,
  nameOf: () => string,
): Engine {
  const { engine, tableOf, stateAt } = parts
  return {
    get table() {
      return tableOf(nameOf())
    },
    async run(point, input, options = {}) {
      const hooksOf = nameOf()
      // Whoever asks for agents says which one it is.
      const scope = { ...(options.scope as AgentScope), hooksOf }
      const outcome = await engine.run(point, input, {
        // Not every product names turns; their hooks have a state all the same.
        state: await stateAt(scope),
        table: tableOf(hooksOf),
        ...options,
        scope,
      })
      passOn(parts, outcome, scope)
      return outcome
    },
    swap: (table) => engine.swap(table),
    perform: (job, options) => engine.perform(job, options),
    drain: (caller) => engine.drain(caller),
    observe: (listener) => engine.observe(listener),
    counts: () => engine.counts(),
  }
}

/** Where the state is of an agent that is none of ours. */
export function foreignIds(scope: AgentScope) {
  const { agent, coreType, sessionId = '', turnId = '' } = scope
  const session = `bridge:${coreType}:${sessionId}`
  return { session, tree: session, turn: `${session}:${turnId}`, agent }
}

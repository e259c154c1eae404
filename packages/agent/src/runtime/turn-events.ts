import { freezeDeep } from 'hookline'
import { type AgentEvent, event } from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import type { LiveAgent, LoopParts } from '../loop/parts.ts'
import type { EventBody, TurnEvents, TurnProgress } from '../loop/turn.ts'

interface Place {
  readonly sessionId: string
  readonly turnId: string
  readonly path: readonly string[]
  readonly nextSeq: () => number
}

/** Where the events of a turn go: to its watchers and to hooks at `event`. */
export function createTurnEvents(
  { engine }: LoopParts,
  agent: LiveAgent,
  bus: EventBus,
  { nextSeq, ...place }: Place,
  progress: Pick<TurnProgress, 'scope'>,
): TurnEvents {
  const hasHooks = () => agent.table.plans.has(event.name)
  return {
    get isWatched() {
      return bus.isWatched || hasHooks()
    },
    emit(body: EventBody) {
      const seq = nextSeq()
      const told: AgentEvent = freezeDeep({ ...body, ...place, seq })
      if (hasHooks()) {
        const { scope } = progress
        void engine.run(event, told, { scope, table: agent.table })
      }
      return bus.emit(told)
    },
  }
}

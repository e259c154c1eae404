import type { Engine, EngineEvent } from 'hookline'
import { type AgentScope, event } from 'hookline/lifecycle'
import type { Agents } from './agents.ts'
import type { SessionHost } from './session-host.ts'

/** Tells watchers when hooks begin and end that users may see. */
export function tellVisibleHooks(
  engine: Engine,
  agents: Agents,
  { turns }: SessionHost,
): void {
  let stop: (() => void) | undefined
  const tell = (happened: EngineEvent) => {
    if (happened.type !== 'hook-start' && happened.type !== 'hook-end') return
    const { hook, point, scope } =
      happened.type === 'hook-start' ? happened : happened.record
    // Nothing is told about hooks that watch what is told.
    if (point === event.name || !agents.isVisible(hook)) return
    const { turnId = '' } = scope as AgentScope
    const events = turns.get(turnId)?.turn.events
    if (events === undefined || !events.isWatched) return
    if (happened.type === 'hook-start') {
      void events.emit({ type: 'hook-start', hook, point })
      return
    }
    const { answer, latencyMs: elapsedMs } = happened.record
    const end = { type: 'hook-end' as const, hook, point, elapsedMs }
    void events.emit(answer === undefined ? end : { ...end, answer })
  }
  // Nobody listens to the engine as long as no hook is to be seen.
  agents.onChange(() => {
    const isNeeded = agents.hasVisible
    if (isNeeded && stop === undefined) stop = engine.observe(tell)
    if (isNeeded || stop === undefined) return
    stop()
    stop = undefined
  })
}

import type { AgentEvent } from 'hookline/lifecycle'

const maxTextLength = 65_536

/**
 * Makes one event of the pieces of a text that follow each other in their
 * session. It has the number of the last of them.
 */
export function mergeDeltas(
  events: readonly AgentEvent[],
): readonly AgentEvent[] {
  const merged: AgentEvent[] = []
  /** Where the last event of each session is. */
  const last = new Map<string, number>()
  for (const event of events) {
    const at = last.get(event.sessionId)
    const before = at === undefined ? undefined : merged[at]
    const both = before && joined(before, event)
    if (both !== undefined && at !== undefined) {
      merged[at] = both
      continue
    }
    last.set(event.sessionId, merged.length)
    merged.push(event)
  }
  return merged
}

function joined(one: AgentEvent, next: AgentEvent): AgentEvent | undefined {
  const isText = one.type === 'text-delta' || one.type === 'reasoning-delta'
  if (!isText || next.type !== one.type) return undefined
  const isSame = one.id === next.id && one.turnId === next.turnId
  const text = one.text + next.text
  if (!isSame || text.length > maxTextLength) return undefined
  return { ...next, text }
}

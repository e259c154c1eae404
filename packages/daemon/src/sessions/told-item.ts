import type { LoggedEvent } from '@hookline/agent/durable'
import type { AgentEvent } from 'hookline/lifecycle'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { Told } from './channel.ts'

export type HookVisibility = (hook: string) => boolean

/**
 * Something of the log as streams have it. All streams share one frozen object,
 * so that whoever writes it out needs to do so once.
 */
export function toldItem(logged: LoggedEvent, isVisible: HookVisibility): Told {
  const item = itemOf(logged)
  const isPublic = logged.type === 'notice' || isShown(logged.event, isVisible)
  return { item, isPublic, size: sizeOf(item) }
}

export function itemOf(logged: LoggedEvent): StreamItem {
  const { cursor, at } = logged
  if (logged.type === 'event') {
    return Object.freeze({ type: 'event', cursor, at, event: logged.event })
  }
  const { name, data, sessionId } = logged
  const about = sessionId === undefined ? data : { sessionId, ...data }
  return Object.freeze({
    type: 'notice',
    cursor,
    at,
    name,
    ...(about !== undefined && { data: about }),
  })
}

/** Whether those may see it who do not run the daemon. */
export function isShown(event: AgentEvent, isVisible: HookVisibility): boolean {
  if ('hook' in event) return isVisible(event.hook)
  // It names whoever wrote a piece of the prompt, hidden hooks among them.
  return event.type !== 'prompt'
}

function sizeOf(item: StreamItem): number {
  // Two bytes for a character, and what objects cost beside.
  return JSON.stringify(item).length * 2 + 200
}

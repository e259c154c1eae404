import type { LoggedEvent } from '@hookline/agent/durable'
import type { AlarmCode } from 'hookline'
import { readNotice } from '../protocol/notices.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { unseenHook } from '../protocol/words/answerer-words.ts'
import type { HookVisibility } from '../service/visible-hooks.ts'
import type { Told } from './channel.ts'
import { shownEvent } from './shown-event.ts'

/**
 * Something of the log as streams have it. All streams share one frozen object,
 * so that whoever writes it out needs to do so once; those who may not see all
 * that it names share another.
 */
export function toldItem(logged: LoggedEvent, isVisible: HookVisibility): Told {
  const item = itemOf(logged)
  const shown = shownItem(item, isVisible)
  const isOther = shown !== undefined && shown !== item
  const size = sizeOf(item) + (isOther ? sizeOf(shown) : 0)
  return { item, shown, size }
}

/** For those who do not run the daemon; undefined: they have nothing of it. */
export function shownItem(
  item: StreamItem,
  isVisible: HookVisibility,
): StreamItem | undefined {
  if (item.type === 'notice') return shownNotice(item, isVisible)
  if (item.type !== 'event') return item
  const event = shownEvent(item.event, isVisible)
  if (event === undefined || event === item.event) return event && item
  return Object.freeze({ ...item, event })
}

/** Alarms of the engine that are about a hook. */
const hookAlarms: ReadonlySet<string> = new Set<AlarmCode>([
  'quarantined',
  'late',
  'job-refused',
])

function shownNotice(
  item: StreamItem & { readonly type: 'notice' },
  isVisible: HookVisibility,
): StreamItem {
  const { code = '', about = '' } = readNotice(item, 'alarm') ?? {}
  if (!hookAlarms.has(code) || isVisible(about)) return item
  return Object.freeze({ ...item, data: { code, about: unseenHook } })
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

function sizeOf(item: StreamItem): number {
  // Two bytes for a character, and what objects cost beside.
  return JSON.stringify(item).length * 2 + 200
}

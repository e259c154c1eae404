import type { StreamItem } from '../../protocol.ts'

/** Whether a stream of one session has it, as the daemon sees it. */
export function isAbout(item: StreamItem, sessionId: string): boolean {
  switch (item.type) {
    case 'event': {
      const { event } = item
      return event.sessionId === sessionId || event.within?.[0] === sessionId
    }
    case 'notice':
      // What is in no log is told to everybody.
      if (item.cursor === undefined) return true
      return Object(item.data).sessionId === sessionId
    case 'reset':
    case 'lagged':
      return true
    default:
      item satisfies never
      return true
  }
}

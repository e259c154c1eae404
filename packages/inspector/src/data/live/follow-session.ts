import type { DaemonContext } from '../daemon-context.ts'
import { attend } from './attend.ts'
import { type FeedParts, followFeed } from './feed.ts'

interface SessionFeed extends Pick<FeedParts, 'onItem' | 'onRefused'> {
  readonly sessionId: string
  /** The cursor of the last item that is known; absent: from the oldest. */
  readonly after?: string
}

/** Reads a session for as long as somebody looks, who can be asked meanwhile. */
export function followSession(
  { client, connection, watch }: DaemonContext,
  { sessionId, after: known, onItem, onRefused }: SessionFeed,
): () => void {
  const leave = attend(client, sessionId)
  const stop = followFeed({
    open: (after = known, signal) =>
      watch({
        sessionId,
        after,
        fromStart: true,
        signal,
        onOpen: () => connection.set('connected'),
      }),
    onItem,
    onRefused,
    onLost: (error) => connection.noteLost(error),
  })
  return () => {
    stop()
    leave()
  }
}

import type { OperationName } from '@hookline/daemon/client'
import type { QueryClient } from '@tanstack/react-query'
import type { DaemonContext } from '../daemon-context.ts'
import type { StreamItem } from '../protocol.ts'
import { followFeed } from './feed.ts'
import { staleAfter } from './stale-operations.ts'

interface LiveParts extends Pick<DaemonContext, 'watch' | 'connection'> {
  readonly queries: QueryClient
  readonly onSignedOut: () => void
}

/** Many things happen at once; they are looked at together. */
const gatherMs = 200

/** Keeps every answer that is shown true, for as long as the page is there. */
export function startLiveUpdates(parts: LiveParts): () => void {
  const { watch, queries, connection, onSignedOut } = parts
  const stale = new Set<OperationName>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let opens = connection.view.opens
  const refresh = () => {
    timer = undefined
    // What is on its way would be broken off, and never arrive.
    const busy = new Set(
      queries
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .map(({ queryKey: [name] }) => name),
    )
    const names = new Set([...stale].filter((name) => !busy.has(name)))
    for (const name of names) stale.delete(name)
    if (stale.size > 0) timer = setTimeout(refresh, gatherMs)
    void queries.invalidateQueries({
      predicate: ({ queryKey: [name] }) =>
        // The first part of each key is the name of an operation.
        names.has(name as OperationName),
    })
  }
  const onItem = (item: StreamItem) => {
    if (item.type === 'reset' || item.type === 'lagged') connection.noteReset()
    for (const name of staleAfter(item)) stale.add(name)
    if (stale.size > 0) timer ??= setTimeout(refresh, gatherMs)
  }
  const unsubscribe = connection.subscribe(() => {
    // What was asked before may have changed without a word.
    if (connection.view.opens === opens) return
    opens = connection.view.opens
    void queries.invalidateQueries()
  })
  const onOpen = () => {
    connection.set('connected')
    connection.noteOpen()
  }
  const stop = followFeed({
    open: (after, signal) => watch({ after, signal, onOpen }),
    onItem,
    hiddenMs: 5_000,
    onLost: (error) => connection.noteLost(error),
    onRefused: ({ code }) => {
      if (code === 'no-token') onSignedOut()
      else connection.set('reconnecting')
    },
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
    stop()
  }
}

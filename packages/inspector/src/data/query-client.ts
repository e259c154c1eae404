import { ProtocolError } from '@hookline/daemon/client'
import { QueryCache, QueryClient } from '@tanstack/react-query'

/** Answers are kept for as long as they are shown, and a little longer. */
export function createQueries(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (error instanceof ProtocolError && error.code === 'no-token') {
          onSignedOut()
        }
      },
    }),
    defaultOptions: {
      queries: {
        // What changes is told by the stream of events.
        staleTime: 30_000,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && isPassing(error),
        retryDelay: (failures) => Math.min(5_000, 300 * 2 ** failures),
      },
    },
  })
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ProtocolError &&
    (error.code === 'unavailable' || error.code === 'too-many')
  )
}

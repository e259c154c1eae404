import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDaemon } from '../daemon-context.ts'
import { isGone } from '../is-gone.ts'
import { createTraceReader, type TurnPlace } from './read-trace.ts'

/** Runs are written a moment after they end. */
const againMs = 1_000

/** What is recorded of a turn; while it runs, what is new of it is read on. */
export function useTurnTrace({ sessionId, turnId }: TurnPlace) {
  const { client } = useDaemon()
  const read = useMemo(
    () => createTraceReader(client, { sessionId, turnId }),
    [client, sessionId, turnId],
  )
  return useQuery({
    queryKey: ['traceTurn', { sessionId, turnId }],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: ({ state: { data, error } }) =>
      data === undefined || data.isSettled || isGone(error) ? false : againMs,
    // Thousands of runs are not compared to find out that some are new.
    structuralSharing: false,
  })
}

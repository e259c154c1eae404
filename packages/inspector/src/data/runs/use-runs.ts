import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ask, useDaemon } from '../daemon-context.ts'
import type { InputOf, Run } from '../protocol.ts'
import type { PagedAnswer } from '../use-pages.ts'
import {
  beginRuns,
  type KnownRuns,
  type ReadRuns,
  readNews,
  takeNews,
  takeOlder,
} from './live-runs.ts'

/** How long it takes until late ones are looked for. */
const settleMs = 5_000

/** A list of runs that reads on as somebody scrolls, and what is new as it comes. */
export function useRuns(
  input: Omit<InputOf<'listRuns'>, 'after' | 'since' | 'until'>,
): PagedAnswer<Run> {
  const { client } = useDaemon()
  const queries = useQueryClient()
  const queryKey = ['listRuns', input]
  const known = () => queries.getQueryData<KnownRuns>(queryKey)
  const reader =
    (signal: AbortSignal): ReadRuns =>
    (place) =>
      ask(client, { name: 'listRuns', input: { ...input, ...place }, signal })
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const read = reader(signal)
      const before = known()
      const now = Date.now()
      if (before === undefined || before.runs.length === 0) {
        const first = await beginRuns(read, now)
        const isEmpty = first.runs.length === 0
        // How far it has been looked without finding any stays known.
        return (isEmpty && known()) || first
      }
      const isThorough = now - before.settledAt >= settleMs
      const news = await readNews(before, read, { isThorough })
      return takeNews(known() ?? before, news, { isThorough, now })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.isSettled ? false : settleMs,
    // Thousands of runs are not compared to find out that some are new.
    structuralSharing: false,
  })
  const { data, error, isPending, isPlaceholderData } = query
  const next = isPlaceholderData ? undefined : data?.next
  const older = useMutation({
    mutationFn: async (after: string) => {
      const page = await reader(new AbortController().signal)({ after })
      queries.setQueryData<KnownRuns>(
        queryKey,
        (now) => now && takeOlder(now, after, page),
      )
    },
  })
  return {
    items: data?.runs ?? none,
    error: error ?? older.error,
    isLoading: isPending,
    hasMore: next !== undefined,
    isCut: data?.isCut ?? false,
    isLoadingMore: older.isPending,
    loadMore: () => {
      if (next !== undefined && !older.isPending) older.mutate(next)
    },
    retry: () => {
      older.reset()
      void query.refetch()
    },
  }
}

const none: readonly Run[] = []

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AskedName, ask, useDaemon } from './daemon-context.ts'
import type { InputOf, OutputOf } from './protocol.ts'

/** Operations that answer in pages. */
type PagedName = {
  [Name in AskedName]: OutputOf<Name> extends {
    items: readonly unknown[]
    next?: string | undefined
  }
    ? 'after' extends keyof InputOf<Name>
      ? Name
      : never
    : never
}[AskedName]

type ItemOf<Name extends PagedName> = OutputOf<Name>['items'][number]

export interface PagedAnswer<Item> {
  readonly items: readonly Item[]
  readonly error: Error | null
  readonly isLoading: boolean
  readonly hasMore: boolean
  /** There are more, which are not read on. */
  readonly isCut: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

/** More than this is nothing that anybody scrolls through; filters are for that. */
const maxPages = 50

interface PagesOptions {
  /** What was there stays until the new answer is: for filters. */
  readonly keepPrevious?: boolean
}

/** A list that is read on as somebody scrolls, and kept true by what happens. */
export function usePages<Name extends PagedName>(
  name: Name,
  input: Omit<InputOf<Name>, 'after'>,
  { keepPrevious = false }: PagesOptions = {},
): PagedAnswer<ItemOf<Name>> {
  const { client } = useDaemon()
  const query = useInfiniteQuery({
    queryKey: [name, input],
    queryFn: ({ signal, pageParam }) => {
      const after = pageParam === '' ? {} : { after: pageParam }
      // It is the input of this operation, with the place of the page.
      const whole = { ...input, ...after } as InputOf<Name>
      return ask(client, { name, input: whole, signal })
    },
    initialPageParam: '',
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    getNextPageParam: (last, pages) => {
      // All that are paged say where the next page begins.
      const { next } = last as { readonly next?: string }
      return pages.length < maxPages ? next : undefined
    },
  })
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query
  const items = useMemo(
    // All pages are of the one operation.
    () => data?.pages.flatMap((page) => page.items) ?? [],
    [data],
  )
  // All that are paged say where the next page begins.
  const last = data?.pages.at(-1) as { readonly next?: string } | undefined
  return {
    items,
    error,
    isLoading: isPending,
    hasMore: hasNextPage,
    isCut: !hasNextPage && last?.next !== undefined,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void query.fetchNextPage()
    },
    retry: () => void query.refetch(),
  }
}

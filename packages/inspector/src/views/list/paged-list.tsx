import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { PagedAnswer } from '../../data/use-pages.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'

interface PagedListProps<Item> {
  readonly pages: PagedAnswer<Item>
  /** What they are called, as a word in a sentence. */
  readonly name: string
  readonly label: string
  /** What stands there where there are none. */
  readonly empty: ReactNode
  readonly rowHeight: number
  readonly selected: number
  readonly renderRow: (item: Item, isSelected: boolean) => ReactNode
}

/** A list that is read on as somebody scrolls. */
export function PagedList<Item extends { readonly id: string }>({
  pages,
  name,
  label,
  empty,
  rowHeight,
  selected,
  renderRow,
}: PagedListProps<Item>) {
  const { items, error, isLoading, isLoadingMore, loadMore, hasMore } = pages
  const onEnd = useRef(loadMore)
  onEnd.current = loadMore
  const readOn = useCallback(() => onEnd.current(), [])
  // So much was looked at without finding any: what is older may fit.
  const isLookingOn = items.length === 0 && hasMore && error === null
  useEffect(() => {
    if (isLookingOn && !isLoadingMore) readOn()
  }, [isLookingOn, isLoadingMore, readOn])
  if (isLoading) return <LoadingRows label={`Loading ${name}`} />
  if (error !== null && items.length === 0) {
    const title = `The ${name} cannot be read`
    return <ErrorState title={title} error={error} onRetry={pages.retry} />
  }
  if (isLookingOn) return <LoadingRows label={`Looking at older ${name}`} />
  if (items.length === 0) return empty
  return (
    <VirtualList
      items={items}
      label={label}
      rowHeight={rowHeight}
      keyOf={({ id }) => id}
      selected={selected}
      onEnd={readOn}
      renderRow={renderRow}
    />
  )
}

interface CountProps {
  readonly pages: PagedAnswer<unknown>
  readonly one: string
  readonly many: string
}

/** How many there are, as far as they were read. */
export function PagedCount({ pages, one, many }: CountProps) {
  const { items, isLoading, hasMore, isCut } = pages
  const { length } = items
  const more = hasMore || isCut ? '+' : ''
  const count = `${length.toLocaleString('en')}${more}`
  return (
    <span className="ml-auto text-xs text-muted" aria-live="polite">
      {isLoading ? '' : `${count} ${length === 1 ? one : many}`}
    </span>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

interface VirtualListProps<Item> {
  readonly items: readonly Item[]
  readonly label: string
  readonly rowHeight: number
  readonly keyOf: (item: Item) => string
  readonly renderRow: (item: Item, isSelected: boolean) => ReactNode
  /** The row that the keyboard is at. */
  readonly selected?: number
  /** The end has come into sight. */
  readonly onEnd?: () => void
}

/** Draws the rows that can be seen, and no others, however many there are. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, label, rowHeight, keyOf, renderRow, selected, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const rows = virtualizer.getVirtualItems()
  const lastSeen = rows.at(-1)?.index ?? -1
  const isAtEnd = items.length > 0 && lastSeen >= items.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])
  useEffect(() => {
    if (selected !== undefined && selected >= 0) {
      virtualizer.scrollToIndex(selected, { align: 'auto' })
    }
  }, [selected, virtualizer])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <ul
        aria-label={label}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {rows.map(({ index, start, size }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {renderRow(item, index === selected)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { EmptyState } from '../../../ui/states.tsx'
import { useNow } from '../../../ui/times.tsx'
import { flatten, type TimelineFilter } from './flatten.ts'
import type { TurnPlace } from './fold-told.ts'
import { HoverCard } from './hover-card.tsx'
import { NodeDetail } from './node-detail.tsx'
import type { Node } from './nodes.ts'
import { GridLines, TimeAxis } from './time-axis.tsx'
import { nameWidth, TimelineRow, timelineRowHeight } from './timeline-row.tsx'
import { type RangeControl, useRange } from './use-range.ts'
import { useTreeKeys } from './use-tree-keys.ts'

interface TimelineProps {
  readonly place: TurnPlace
  readonly root: Node
  readonly filter: TimelineFilter
  /** The run that an address names. */
  readonly run: string | undefined
  readonly onRun: (run: string | undefined) => void
  readonly search: React.RefObject<HTMLInputElement | null>
  /** What zooms, for buttons that stand elsewhere. */
  readonly controls: React.RefObject<RangeControl | null>
}

const wide = 7
const narrow = 3

/** The turn as a waterfall: what is in what, when, and for how long. */
export function Timeline(props: TimelineProps) {
  const { place, root, filter, run, onRun, search, controls } = props
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [selected, setSelected] = useState<string | undefined>(run)
  const box = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const now = useEnd(root)
  const rows = useMemo(
    () => flatten(root, folded, filter),
    [root, folded, filter],
  )
  const zero = root.start
  const to = Math.max(1, (root.end ?? now) - zero)
  const whole = useMemo(() => ({ from: 0, to }), [to])
  const control = useRange(whole, box)
  controls.current = control
  const { range } = control
  const at = useMemo(
    () => rows.findIndex(({ node }) => node.key === selected),
    [rows, selected],
  )
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => timelineRowHeight,
    overscan: 8,
  })
  const select = useCallback((key: string | undefined) => setSelected(key), [])
  const toggle = useCallback((key: string) => {
    setFolded((last) => {
      const next = new Set(last)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  useTreeKeys({
    place,
    rows,
    at,
    control,
    search,
    onSelect: select,
    onToggle: toggle,
  })
  const known = useRef(rows)
  known.current = rows
  useEffect(() => {
    const index = known.current.findIndex(({ node }) => node.key === selected)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [selected, virtualizer])
  useAddress({ selected, rows, run, onRun })
  const count = useIsWide() ? wide : narrow
  const node = rows[at]?.node
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <div ref={box} className="relative flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex shrink-0 overflow-hidden border-b border-line [scrollbar-gutter:stable]">
          <div
            className={`${nameWidth} flex items-center px-4 text-2xs text-muted`}
          >
            {rows.length.toLocaleString('en')}{' '}
            {rows.length === 1 ? 'row' : 'rows'}
          </div>
          <div data-axis className="flex min-w-0 flex-1">
            <TimeAxis
              range={range}
              count={count}
              onRange={control.setRange}
              onWhole={() => control.setRange(undefined)}
            />
          </div>
        </div>
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-x-0 top-8 bottom-0 flex overflow-hidden [scrollbar-gutter:stable]"
        >
          <div className={nameWidth} />
          <GridLines range={range} count={count} />
        </div>
        <div
          ref={scroller}
          role="tree"
          aria-label="Timeline of the turn"
          aria-activedescendant={at < 0 ? undefined : `row-${at}`}
          tabIndex={0}
          className="relative min-h-0 flex-1 overflow-y-auto outline-none [scrollbar-gutter:stable] focus-visible:shadow-[inset_0_0_0_2px_var(--focus)]"
        >
          <div
            role="none"
            className="relative"
            style={{ height: virtualizer.getTotalSize() }}
          >
            {virtualizer.getVirtualItems().map(({ index }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <TimelineRow
                  key={row.node.key}
                  row={row}
                  at={index}
                  count={rows.length}
                  range={range}
                  zero={zero}
                  now={row.node.end === undefined ? now : 0}
                  isSelected={index === at}
                  onSelect={select}
                  onToggle={toggle}
                />
              )
            })}
          </div>
          {rows.length === 1 && <Nothing filter={filter} />}
        </div>
        <HoverCard scroller={scroller} rows={rows} zero={zero} now={now} />
      </div>
      {node !== undefined && (
        <NodeDetail
          node={node}
          place={place}
          zero={zero}
          now={now}
          onClose={() => select(undefined)}
        />
      )}
    </div>
  )
}

function Nothing({ filter }: { readonly filter: TimelineFilter }) {
  const isFiltered = Boolean(filter.kind || filter.outcome || filter.search)
  return isFiltered ? (
    <EmptyState title="Nothing in this turn is like that">
      Take a filter away, or search for something else.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing is recorded of this turn">
      Hooks, tools and steps show up here as they happen.
    </EmptyState>
  )
}

/** The end of what goes on: now, a few times a second. */
function useEnd({ end, start }: Node): number {
  const now = useNow(end === undefined ? 250 : 3_600_000)
  return Math.max(start, end ?? now)
}

interface AddressParts {
  readonly selected: string | undefined
  readonly rows: readonly { readonly node: Node }[]
  readonly run: string | undefined
  readonly onRun: (run: string | undefined) => void
}

const settleMs = 300

/** The run that is selected stands in the address, once nobody moves on. */
function useAddress({ selected, rows, run, onRun }: AddressParts): void {
  const latest = useRef({ rows, onRun })
  latest.current = { rows, onRun }
  useEffect(() => {
    const timer = setTimeout(() => {
      const found = latest.current.rows.find(
        ({ node }) => node.key === selected,
      )
      const next = found?.node.kind === 'hook' ? selected : undefined
      const isUnknown = selected !== undefined && found === undefined
      if (next !== run && !isUnknown) latest.current.onRun(next)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [selected, run])
}

const query = '(min-width: 640px)'

function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const look = () => setWide(media.matches)
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [])
  return isWide
}

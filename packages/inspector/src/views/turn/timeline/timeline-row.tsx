import {
  Bot,
  Boxes,
  BrainCircuit,
  ChevronRight,
  CircleDot,
  Footprints,
  Hand,
  MessagesSquare,
  Shrink,
  Webhook,
  Wrench,
} from 'lucide-react'
import { memo } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { preciseDuration } from '../../../ui/times.tsx'
import { toneText } from '../../../ui/tone.ts'
import { type Outcome, outcomes } from '../../outcomes.ts'
import { barOf, type Range } from './axis.ts'
import { barClass } from './bar-looks.ts'
import type { Row } from './flatten.ts'
import { type Kind, kinds, tookMs } from './nodes.ts'

export const timelineRowHeight = 28
/** The width of names, the same for the axis and for every row. */
export const nameWidth = 'w-[46%] shrink-0 sm:w-72 lg:w-80'

/** Behind the last bar there is room for how long it took. */
export const barsWidth = 'min-w-0 flex-1 mr-3 sm:mr-16'

const icons: Readonly<Record<Kind, typeof Bot>> = {
  turn: MessagesSquare,
  step: Footprints,
  point: CircleDot,
  hook: Webhook,
  model: BrainCircuit,
  tool: Wrench,
  question: Hand,
  subagent: Bot,
  compaction: Shrink,
}

export const KindIcon = ({ kind }: { readonly kind: Kind }) => {
  const Icon = icons[kind] ?? Boxes
  return <Icon aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
}

/** Most of them are, and nobody has to be told. */
const ordinary: ReadonlySet<Outcome> = new Set([
  'done',
  'proceeded',
  'observed',
])

interface TimelineRowProps {
  readonly row: Row
  readonly at: number
  readonly count: number
  readonly range: Range
  /** The start of the turn. */
  readonly zero: number
  /** The end of what has none yet. */
  readonly now: number
  readonly isSelected: boolean
  readonly onSelect: (key: string) => void
  readonly onToggle: (key: string) => void
}

export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { row, at, count, range, zero, now, isSelected } = props
  const { node, depth, hasChildren, isFolded } = row
  const { key, kind, name, outcome } = node
  const end = Math.max(node.start, node.end ?? now)
  const took = preciseDuration(tookMs(node, now))
  const { word, tone } = outcomes[outcome]
  const isWorthSaying = !ordinary.has(outcome)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are of the whole tree.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and says which row is active.
    <div
      role="treeitem"
      id={`row-${at}`}
      data-row={at}
      aria-level={depth + 1}
      aria-setsize={count}
      aria-posinset={at + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? !isFolded : undefined}
      onClick={() => props.onSelect(key)}
      className={classNames(
        'absolute inset-x-0 top-0 flex h-7 cursor-default items-center',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      style={{ transform: `translateY(${at * timelineRowHeight}px)` }}
    >
      {/* What is drawn leaves out what colours and places say. */}
      <span className="sr-only">{`${kinds[kind]} ${name}, ${word}, ${took}`}</span>
      <div
        aria-hidden="true"
        className={classNames(
          'flex h-full items-center gap-1.5 pr-2',
          nameWidth,
        )}
        style={{ paddingLeft: 8 + Math.min(depth, 8) * 14 }}
      >
        {hasChildren ? (
          <span
            aria-hidden="true"
            data-fold={key}
            onClick={(event) => {
              event.stopPropagation()
              props.onToggle(key)
            }}
            className="-m-1 cursor-pointer p-1 text-faint hover:text-ink"
          >
            <ChevronRight
              className={classNames('size-3', !isFolded && 'rotate-90')}
            />
          </span>
        ) : (
          <span className="w-3 shrink-0" />
        )}
        <KindIcon kind={kind} />
        <span
          className={classNames(
            'min-w-0 flex-1 truncate text-xs',
            kind === 'point' && 'text-muted',
            kind !== 'point' && kind !== 'hook' && 'font-medium',
          )}
        >
          <HostileText text={name} sliceLength={200} />
        </span>
        {isWorthSaying && (
          <span
            className={classNames(
              'hidden shrink-0 text-2xs sm:inline',
              toneText[tone],
            )}
          >
            {word}
          </span>
        )}
      </div>
      <Bar
        bar={barOf(range, node.start - zero, end - zero)}
        look={barClass(node)}
        took={took}
        isOpen={node.end === undefined}
      />
    </div>
  )
})

interface BarProps {
  readonly bar: ReturnType<typeof barOf>
  readonly look: string
  readonly took: string
  readonly isOpen: boolean
}

function Bar({ bar, look, took, isOpen }: BarProps) {
  if (bar === undefined) return <div className={barsWidth} />
  const { left, width } = bar
  return (
    <div
      aria-hidden="true"
      className={classNames('relative h-full', barsWidth)}
    >
      <span
        className={classNames(
          'absolute inset-y-0 my-auto min-w-[3px] rounded-xs',
          look,
          isOpen && 'animate-pulse-soft',
        )}
        style={{ left: `${Math.min(left, 99.5)}%`, width: `${width}%` }}
      />
      <span
        className="absolute inset-y-0 my-auto hidden h-4 pl-2 text-2xs whitespace-nowrap text-muted sm:block"
        style={{ left: `${left + width}%` }}
      >
        {took}
      </span>
    </div>
  )
}

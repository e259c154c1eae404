import { Lock } from 'lucide-react'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Plan, PlanStep } from '../../data/protocol.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { durationText } from '../../ui/times.tsx'
import type { MarkKind } from './diff-plans.ts'
import { layoutPlan, nodeHeight, type PlacedTie } from './layout-plan.ts'

interface PlanGraphProps {
  readonly plan: Plan
  readonly label: string
  readonly selected?: string | undefined
  readonly onSelect?: (hook: string) => void
  /** What a change does to some of them. */
  readonly marks?: ReadonlyMap<string, MarkKind>
}

/** A plan: lanes in their order, and what ties hooks to each other. */
export function PlanGraph(props: PlanGraphProps) {
  const { plan, label, selected, onSelect, marks } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom(box)
  const layout = useMemo(() => layoutPlan(plan, room), [plan, room])
  const { width, height, nodeWidth } = layout
  return (
    // Whatever is around a box needs some room, too.
    <div ref={box} className="-m-1 overflow-x-auto p-1">
      <div className="relative" style={{ width, height }}>
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          className="absolute inset-0"
        >
          <defs>
            <Arrow id={`${id}-far`} look="fill-muted" />
            <Arrow id={`${id}-near`} look="fill-accent" />
          </defs>
          {layout.flow.map((path) => (
            <path
              key={path}
              d={path}
              className="fill-none stroke-line-strong"
            />
          ))}
          {layout.ties.map((tie) => (
            <Tie key={tie.key} id={id} tie={tie} selected={selected} />
          ))}
        </svg>
        {layout.lanes.map(({ lane, label: text, y }) => (
          <span
            key={lane}
            aria-hidden="true"
            className="absolute left-0 w-8 text-right text-xs text-faint tabular-nums"
            style={{ top: y + nodeHeight / 2 - 8 }}
          >
            {text}
          </span>
        ))}
        <ol aria-label={label}>
          {layout.steps.map(({ step, x, y }) => (
            <li
              key={step.name}
              className="absolute"
              style={{ left: x, top: y, width: nodeWidth, height: nodeHeight }}
            >
              <Node
                step={step}
                isSelected={step.name === selected}
                onSelect={onSelect}
                mark={marks?.get(step.name)}
              />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

/** How wide what it is drawn in is; told before anything is painted. */
function useRoom(box: React.RefObject<HTMLDivElement | null>): number {
  const [room, setRoom] = useState(600)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver((entries) => {
      // Without the room around it.
      for (const { contentRect } of entries) setRoom(contentRect.width)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return room
}

interface ArrowProps {
  readonly id: string
  readonly look: string
}

function Arrow({ id, look }: ArrowProps) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0.5L8 4L0 7.5Z" className={look} />
    </marker>
  )
}

interface TieProps {
  readonly id: string
  readonly tie: PlacedTie
  readonly selected: string | undefined
}

function Tie({ id, tie, selected }: TieProps) {
  const { path, kind, from, to } = tie
  const isNear = selected === from || selected === to
  return (
    <path
      d={path}
      markerEnd={`url(#${id}-${isNear ? 'near' : 'far'})`}
      strokeDasharray={kind === 'needs' ? undefined : '4 3'}
      strokeWidth={isNear ? 1.75 : 1.25}
      className={classNames(
        'fill-none',
        isNear ? 'stroke-accent' : 'stroke-muted',
      )}
    />
  )
}

const markLooks: Readonly<Record<MarkKind, string>> = {
  leaves: 'border-bad bg-bad-soft',
  comes: 'border-good bg-good-soft',
  moves: 'border-caution-mark bg-caution-soft',
  mode: 'border-changed bg-changed-soft',
}

interface NodeProps {
  readonly step: PlanStep
  readonly isSelected: boolean
  readonly onSelect: ((hook: string) => void) | undefined
  readonly mark: MarkKind | undefined
}

function Node({ step, isSelected, onSelect, mark }: NodeProps) {
  const look = classNames(
    'flex h-full w-full flex-col justify-center gap-0.5 rounded-md border px-3 text-left',
    mark === undefined ? 'bg-raised' : markLooks[mark],
    mark === undefined && (isSelected ? 'border-accent' : 'border-line-strong'),
    isSelected && 'shadow-[0_0_0_1px_var(--accent)]',
    step.matches === 'no' && 'border-dashed',
  )
  const content = <NodeContent step={step} isGone={mark === 'leaves'} />
  if (onSelect === undefined) return <div className={look}>{content}</div>
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={() => onSelect(step.name)}
      className={classNames(look, 'transition-colors hover:bg-hover')}
    >
      {content}
    </button>
  )
}

interface NodeContentProps {
  readonly step: PlanStep
  readonly isGone: boolean
}

function NodeContent({ step, isGone }: NodeContentProps) {
  const { name, handler, timeoutMs, onFailure, mode, isManaged, matches } = step
  const facts = [
    handler.kind,
    ...(timeoutMs === undefined ? [] : [durationText(timeoutMs)]),
    matches === 'no' ? 'does not match' : `fails ${onFailure}`,
  ]
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5">
        <span
          className={classNames(
            'min-w-0 flex-1 truncate text-sm font-medium',
            (isGone || matches === 'no') && 'text-muted',
            isGone && 'line-through',
          )}
        >
          <HostileText text={name} />
        </span>
        {mode === 'evaluate' && <Badge tone="noted">evaluate</Badge>}
        {isManaged && (
          <Lock role="img" aria-label="Managed" className="size-3 text-muted" />
        )}
      </span>
      <span className="truncate text-xs text-muted">{facts.join(' · ')}</span>
    </>
  )
}

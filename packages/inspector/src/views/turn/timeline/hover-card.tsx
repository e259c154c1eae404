import { type RefObject, useEffect, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { preciseDuration } from '../../../ui/times.tsx'
import { toneDot } from '../../../ui/tone.ts'
import { outcomes } from '../../outcomes.ts'
import type { Row } from './flatten.ts'
import { kinds, tookMs } from './nodes.ts'

interface HoverCardProps {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rows: readonly Row[]
  readonly zero: number
  readonly now: number
}

interface Hovered {
  readonly at: number
  readonly x: number
  readonly y: number
}

const cardWidth = 288

/**
 * Says more about the row that is pointed at. It listens by itself, so that
 * nothing else is drawn when a pointer moves.
 */
export function HoverCard({ scroller, rows, zero, now }: HoverCardProps) {
  const [hovered, setHovered] = useState<Hovered | undefined>(undefined)
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const onMove = ({
      target,
      clientX: x,
      clientY: y,
      pointerType,
    }: PointerEvent) => {
      const row =
        target instanceof Element ? target.closest('[data-row]') : null
      const at = Number(row?.getAttribute('data-row') ?? -1)
      const isOn = at >= 0 && pointerType === 'mouse'
      setHovered(isOn ? { at, x, y } : undefined)
    }
    const leave = () => setHovered(undefined)
    box.addEventListener('pointermove', onMove)
    box.addEventListener('pointerleave', leave)
    box.addEventListener('scroll', leave, { passive: true })
    return () => {
      box.removeEventListener('pointermove', onMove)
      box.removeEventListener('pointerleave', leave)
      box.removeEventListener('scroll', leave)
    }
  }, [scroller])
  const row = hovered === undefined ? undefined : rows[hovered.at]
  if (hovered === undefined || row === undefined) return null
  const { kind, name, start, outcome, about } = row.node
  const { word, tone } = outcomes[outcome]
  const isLow = hovered.y > window.innerHeight - 160
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed z-40 flex w-72 flex-col gap-1 rounded-md bg-raised p-3 text-xs shadow-float"
      style={{
        left: Math.min(hovered.x + 14, window.innerWidth - cardWidth - 12),
        ...(isLow
          ? { bottom: window.innerHeight - hovered.y + 14 }
          : { top: hovered.y + 16 }),
      }}
    >
      <span className="flex items-center gap-2">
        <span className={classNames('size-2 rounded-full', toneDot[tone])} />
        <span className="truncate font-medium">
          <HostileText text={name} sliceLength={200} />
        </span>
      </span>
      <span className="text-muted">
        {kinds[kind]} · {word}
      </span>
      <span>
        {preciseDuration(tookMs(row.node, now))}
        <span className="text-muted">
          , from {preciseDuration(Math.max(0, start - zero))}
        </span>
      </span>
      {about.words !== undefined && (
        <span className="line-clamp-3 break-words text-muted">
          <HostileText text={about.words.slice(0, 300)} />
        </span>
      )}
    </div>
  )
}

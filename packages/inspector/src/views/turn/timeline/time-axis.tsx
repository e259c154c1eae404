import { type PointerEvent, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { preciseDuration } from '../../../ui/times.tsx'
import { type Range, ticksIn } from './axis.ts'
import { barsWidth } from './timeline-row.tsx'

interface TimeAxisProps {
  readonly range: Range
  readonly count: number
  readonly onRange: (range: Range) => void
  readonly onWhole: () => void
}

/** Times above the bars; a part of them that is drawn over becomes the whole. */
export function TimeAxis({ range, count, onRange, onWhole }: TimeAxisProps) {
  const box = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<Range | undefined>(undefined)
  const timeAt = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {}
    const share = Math.max(0, Math.min(1, (clientX - left) / width))
    return range.from + share * (range.to - range.from)
  }
  const finish = () => {
    if (drawn === undefined) return
    setDrawn(undefined)
    const [from, to] = [drawn.from, drawn.to].sort((a, b) => a - b)
    const isMeant = Math.abs(drawn.to - drawn.from) > placeOf(range, 1)
    if (isMeant && from !== undefined && to !== undefined) onRange({ from, to })
  }
  const percent = (at: number) =>
    ((at - range.from) / (range.to - range.from)) * 100
  return (
    <div
      ref={box}
      aria-hidden="true"
      title="Drag to look closer, double-click for the whole turn"
      className={`relative h-8 cursor-crosshair touch-none select-none ${barsWidth}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = timeAt(event)
        setDrawn({ from: at, to: at })
      }}
      onPointerMove={(event) => {
        if (drawn !== undefined) setDrawn({ ...drawn, to: timeAt(event) })
      }}
      onPointerUp={finish}
      onPointerCancel={() => setDrawn(undefined)}
      onDoubleClick={onWhole}
    >
      {ticksIn(range, count).map((tick) => {
        const left = percent(tick)
        if (left > 97) return null
        return (
          <span
            key={tick}
            className={classNames(
              'absolute top-2 px-1 text-2xs whitespace-nowrap text-muted',
              // Where there is little room beside the last one, it is before it.
              left > 80 && 'max-sm:-translate-x-full',
            )}
            style={{ left: `${left}%` }}
          >
            {tick === 0 ? '0' : preciseDuration(tick)}
          </span>
        )
      })}
      {drawn !== undefined && (
        <span
          className="absolute inset-y-0 border-x border-accent bg-accent-soft opacity-70"
          style={{
            left: `${percent(Math.min(drawn.from, drawn.to))}%`,
            width: `${Math.abs(percent(drawn.to) - percent(drawn.from))}%`,
          }}
        />
      )}
    </div>
  )
}

/** So many percent of what is drawn. */
function placeOf({ from, to }: Range, percent: number): number {
  return ((to - from) * percent) / 100
}

interface GridLinesProps {
  readonly range: Range
  readonly count: number
}

export function GridLines({ range, count }: GridLinesProps) {
  const width = range.to - range.from
  return (
    <div className={`relative h-full ${barsWidth}`}>
      {ticksIn(range, count).map((tick) => (
        <span
          key={tick}
          className="absolute inset-y-0 w-px bg-line"
          style={{ left: `${((tick - range.from) / width) * 100}%` }}
        />
      ))}
    </div>
  )
}

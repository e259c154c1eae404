import { type RefObject, useEffect, useRef, useState } from 'react'
import { pan, type Range, zoom } from './axis.ts'

export interface RangeControl {
  readonly range: Range
  readonly isWhole: boolean
  readonly setRange: (range: Range | undefined) => void
  /** By so much, around the middle. */
  readonly zoomBy: (factor: number) => void
  /** By so many widths of what is drawn. */
  readonly panBy: (share: number) => void
}

/** Which part of a turn is drawn; the whole, as it grows, until somebody zooms. */
export function useRange(
  whole: Range,
  bars: RefObject<HTMLDivElement | null>,
): RangeControl {
  const [chosen, setRange] = useState<Range | undefined>(undefined)
  const range = chosen ?? whole
  const latest = useRef({ range, whole })
  latest.current = { range, whole }
  useEffect(() => {
    const box = bars.current
    if (box === null) return
    const onWheel = (event: WheelEvent) => {
      const { range: now, whole: all } = latest.current
      const width = now.to - now.from
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        const { left, width: pixels } = axisOf(box)
        const share = Math.max(0, Math.min(1, (event.clientX - left) / pixels))
        const around = now.from + share * width
        const factor = Math.exp(event.deltaY * 0.004)
        setRange(zoom(now, all, { factor, around }))
        return
      }
      const along = event.shiftKey ? event.deltaY : event.deltaX
      const isSideways =
        event.shiftKey || Math.abs(along) > Math.abs(event.deltaY)
      if (!isSideways || along === 0) return
      event.preventDefault()
      const { width: pixels } = axisOf(box)
      setRange(pan(now, all, (along / pixels) * width))
    }
    // What keeps the page from zooming cannot be passive.
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => box.removeEventListener('wheel', onWheel)
  }, [bars])
  return {
    range,
    isWhole: chosen === undefined,
    setRange,
    zoomBy(factor) {
      const around = (range.from + range.to) / 2
      const next = zoom(range, whole, { factor, around })
      const isAll = next.to - next.from >= whole.to - whole.from
      setRange(isAll ? undefined : next)
    },
    panBy(share) {
      if (chosen === undefined) return
      setRange(pan(range, whole, share * (range.to - range.from)))
    },
  }
}

/** Where the bars are, beside the names. */
function axisOf(box: HTMLElement): { left: number; width: number } {
  const axis = box.querySelector('[data-axis]') ?? box
  return axis.getBoundingClientRect()
}

import uPlot from 'uplot'

export interface ChartSeries {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** The token of its colour, such as `--bad`. */
  readonly color: string
  /** The same colour, for the legend. */
  readonly dot: string
  readonly look: 'bars' | 'line'
}

interface ChartLook {
  readonly element: HTMLElement
  readonly series: readonly ChartSeries[]
  readonly width: number
  readonly height: number
  readonly valueText: (value: number) => string
  /** Of a time in milliseconds since 1970, in few letters. */
  readonly axisText: (at: number) => string
  /** From one value to the next, in milliseconds. */
  readonly stepMs: number
  /** Which value is pointed at; undefined: none. */
  readonly onPoint: (at: number | undefined) => void
}

/** A chart in the colours and letters of the page around it. */
export function chartOptions(look: ChartLook): uPlot.Options {
  const { element, series, width, height, valueText, axisText } = look
  // What stands at an edge is drawn whole.
  const half = look.stepMs / 2_000
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: token('--ink-muted'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
  }
  const bars = uPlot.paths.bars?.({ size: [0.8, 24], radius: 0.15 })
  return {
    width,
    height,
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    hooks: {
      setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? undefined)],
    },
    // From nothing on, so that little does not look like much.
    scales: {
      x: { range: (_, min, max) => [min - half, max + half] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        gap: 8,
        size: 32,
        values: (_, ticks) => ticks.map((at) => axisText(at * 1_000)),
      },
      {
        ...axis,
        size: 52,
        values: (_, ticks) => ticks.map((value) => valueText(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, color, look: kind }) => ({
        label,
        stroke: token(color),
        width: kind === 'line' ? 1.5 : 0,
        points: { show: kind === 'line', size: 5, fill: token(color) },
        spanGaps: true,
        ...(kind === 'bars' && {
          fill: token(color),
          ...(bars !== undefined && { paths: bars }),
        }),
      })),
    ],
  }
}

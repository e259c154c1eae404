import { ChartColumn, Table2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import './chart.css'
import { useTheme } from '../../around/theme/theme.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { type ChartSeries, chartOptions } from './chart-options.ts'

interface ChartProps {
  readonly title: string
  /** When each value was, in milliseconds since 1970; the oldest first. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly valueText: (value: number) => string
  readonly timeText: (at: number) => string
  /** The same in fewer letters. */
  readonly axisText: (at: number) => string
  /** What can be said of it in a sentence, for whoever does not see it. */
  readonly summary: string
}

const height = 180

/** Values over time; the same as a table for whoever wants to read it. */
export function Chart(props: ChartProps) {
  const { title, summary, times, timeText } = props
  const [isTable, setTable] = useState(false)
  const [pointed, setPointed] = useState<number | undefined>(undefined)
  const at = pointed === undefined ? undefined : times[pointed]
  return (
    <section aria-label={title} className="min-w-0">
      <header className="flex h-8 items-center gap-4">
        <h3 className="text-xs font-medium">{title}</h3>
        <Legend {...props} pointed={at === undefined ? undefined : pointed} />
        {at !== undefined && (
          <span className="ml-auto text-xs whitespace-nowrap text-muted">
            {timeText(at)}
          </span>
        )}
        <IconButton
          className={at === undefined ? 'ml-auto' : ''}
          label={isTable ? `${title}: as a chart` : `${title}: as a table`}
          icon={isTable ? <ChartColumn /> : <Table2 />}
          onClick={() => setTable(!isTable)}
        />
      </header>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <div role="img" aria-label={`${title}. ${summary}`}>
          <Plot {...props} onPoint={setPointed} />
        </div>
      )}
    </section>
  )
}

interface LegendProps extends ChartProps {
  /** Which values stand beside the names. */
  readonly pointed: number | undefined
}

function Legend({ series, pointed, valueText }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-3 text-xs text-muted">
      {series.map(({ label, dot, values }) => {
        const value = pointed === undefined ? null : (values[pointed] ?? null)
        return (
          <li key={label} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-xs ${dot}`} />
            {label}
            {value !== null && (
              <span className="font-medium text-ink">{valueText(value)}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface PlotProps extends ChartProps {
  readonly onPoint: (at: number | undefined) => void
}

function Plot({ times, series, valueText, axisText, onPoint }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const isDark = useDarkPage()
  const texts = useRef({ valueText, axisText })
  texts.current = { valueText, axisText }
  // The colours of a theme are read when it is drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const options = chartOptions({
      element,
      series,
      width: element.clientWidth,
      height,
      valueText: (value) => texts.current.valueText(value),
      axisText: (at) => texts.current.axisText(at),
      stepMs: (times[1] ?? 0) - (times[0] ?? 0),
      onPoint,
    })
    const data: uPlot.AlignedData = [
      times.map((at) => at / 1_000),
      ...series.map(({ values }) => [...values]),
    ]
    const plot = new uPlot(options, data, element)
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, theme, isDark, onPoint])
  return <div ref={box} style={{ height }} className="overflow-hidden" />
}

/** The system may change its mind while the page follows it. */
function useDarkPage(): boolean {
  const [isDark, setDark] = useState(isDarkPage)
  useEffect(() => {
    const observer = new MutationObserver(() => setDark(isDarkPage()))
    const attributeFilter = ['data-theme']
    observer.observe(document.documentElement, { attributeFilter })
    return () => observer.disconnect()
  }, [])
  return isDark
}

function isDarkPage(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}

function ChartTable({ title, times, series, ...texts }: ChartProps) {
  const { valueText, timeText } = texts
  return (
    <section
      // Whoever has no mouse scrolls it with the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
      tabIndex={0}
      aria-label={`${title}, as a table`}
      className="overflow-auto rounded-md border border-line"
      style={{ height }}
    >
      <table className="w-full text-xs tabular-nums">
        <thead className="sticky top-0 bg-sunken text-left text-muted">
          <tr>
            <th className="px-3 py-1.5 font-medium">Time</th>
            {series.map(({ label }) => (
              <th key={label} className="px-3 py-1.5 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, row) => (
            <tr key={at} className="border-t border-line">
              <td className="px-3 py-1 whitespace-nowrap">{timeText(at)}</td>
              {series.map(({ label, values }) => {
                const value = values[row] ?? null
                return (
                  <td key={label} className="px-3 py-1 text-right">
                    {value === null ? '–' : valueText(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

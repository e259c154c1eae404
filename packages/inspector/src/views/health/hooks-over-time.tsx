import { useMemo } from 'react'
import type { Figures } from '../../data/protocol.ts'
import { Chart } from './chart.tsx'
import { Figure, FigureRow } from './figure.tsx'
import { countText, shortText } from './numbers.ts'
import { sumSpans, type TimeRange } from './spans.ts'
import { timeTexts } from './time-text.ts'

interface HooksOverTimeProps {
  readonly figures: readonly Figures[]
  readonly range: TimeRange
}

/** What hooks were asked, and how often they gave no valid answer. */
export function HooksOverTime({ figures, range }: HooksOverTimeProps) {
  const { times, series, totals } = useMemo(() => {
    const spans = sumSpans(figures, range)
    const total = (key: 'count' | 'failures' | 'timeouts' | 'failedOpen') =>
      figures.reduce((sum, one) => sum + one[key], 0)
    return {
      times: spans.map(({ at }) => at),
      series: [
        {
          label: 'Runs',
          values: spans.map(({ calls }) => calls),
          color: '--ink-faint',
          dot: 'bg-faint',
          look: 'bars' as const,
        },
        {
          label: 'Failed or timed out',
          values: spans.map(({ failed, timedOut }) => failed + timedOut),
          color: '--bad',
          dot: 'bg-bad',
          look: 'bars' as const,
        },
      ],
      totals: {
        calls: total('count'),
        failures: total('failures'),
        timeouts: total('timeouts'),
        failedOpen: total('failedOpen'),
      },
    }
  }, [figures, range])
  const { calls, failures, timeouts, failedOpen } = totals
  const isCut = figures.some((one) => one.isCut)
  return (
    <section aria-label="All hooks" className="flex flex-col gap-4">
      <FigureRow>
        <Figure label="Runs" text={`${countText(calls)}${isCut ? '+' : ''}`} />
        <Figure
          label="Failed"
          text={countText(failures)}
          tone={failures > 0 ? 'bad' : 'neutral'}
        />
        <Figure
          label="Missed their deadline"
          text={countText(timeouts)}
          tone={timeouts > 0 ? 'bad' : 'neutral'}
        />
        <Figure
          label="Failed open"
          text={countText(failedOpen)}
          tone={failedOpen > 0 ? 'caution' : 'neutral'}
        />
      </FigureRow>
      <Chart
        title="Runs over time"
        times={times}
        series={series}
        valueText={shortText}
        {...timeTexts(range)}
        summary={`${calls} runs, ${failures} failed, ${timeouts} timed out.`}
      />
    </section>
  )
}

import { useMemo } from 'react'
import type { UsageItem } from '../../data/protocol.ts'
import { Chart } from './chart.tsx'
import { shortText } from './numbers.ts'

const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
})
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Tokens of each day; what came out is drawn in front of all. */
export function UsageChart({
  items,
}: {
  readonly items: readonly UsageItem[]
}) {
  const { times, series } = useMemo(
    () => ({
      times: items.map(({ key }) => Number(key)),
      series: [
        {
          label: 'Tokens, all',
          values: items.map((one) => one.inputTokens + one.outputTokens),
          color: '--ink-faint',
          dot: 'bg-faint',
          look: 'bars' as const,
        },
        {
          label: 'of them out',
          values: items.map((one) => one.outputTokens),
          color: '--accent',
          dot: 'bg-accent',
          look: 'bars' as const,
        },
      ],
    }),
    [items],
  )
  return (
    <Chart
      title="Tokens per day"
      times={times}
      series={series}
      valueText={shortText}
      timeText={(at) => day.format(at)}
      axisText={(at) => short.format(at)}
      summary={`${items.length} days with turns.`}
    />
  )
}

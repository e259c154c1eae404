import type { TimeRange } from './spans.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
})
const dated = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
})

/** How times are written; a day is said where there are several. */
export function timeTexts({ since, until }: TimeRange) {
  const isLong = until - since > 86_400_000
  return {
    timeText: (at: number) => (isLong ? dated : clock).format(at),
    axisText: (at: number) => (isLong ? day : clock).format(at),
  }
}

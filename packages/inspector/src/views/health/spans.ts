import type { Figures } from '../../data/protocol.ts'

/** How far back, by what stands in the address. */
export const sinceChoices = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
] as const

export type Since = (typeof sinceChoices)[number]['value']

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long it is, and how long each span of it. */
const lengths: Readonly<Record<Since, readonly [whole: number, span: number]>> =
  {
    '1h': [hourMs, minuteMs],
    '24h': [24 * hourMs, 30 * minuteMs],
    '7d': [7 * 24 * hourMs, 3 * hourMs],
    '30d': [30 * 24 * hourMs, 12 * hourMs],
  }

export function isSince(value: string | undefined): value is Since {
  return sinceChoices.some((choice) => choice.value === value)
}

export interface TimeRange {
  readonly since: number
  readonly until: number
  readonly spans: number
  readonly spanMs: number
}

/** Ends with the span that is under way, so that its edges stay where they are. */
export function rangeOf(since: Since, now: number): TimeRange {
  const [whole, spanMs] = lengths[since]
  const until = (Math.floor(now / spanMs) + 1) * spanMs
  return { since: until - whole, until, spans: whole / spanMs, spanMs }
}

type Span = NonNullable<Figures['spans']>[number]

export interface SpanSums {
  readonly at: number
  readonly calls: number
  readonly failed: number
  readonly timedOut: number
  readonly failedOpen: number
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

/** All spans of a time, those without a run too, over some hooks. */
export function sumSpans(
  figures: readonly Figures[],
  { since, spans, spanMs }: TimeRange,
): readonly SpanSums[] {
  const byTime = new Map<number, Span[]>()
  for (const span of figures.flatMap((one) => one.spans ?? [])) {
    byTime.set(span.at, [...(byTime.get(span.at) ?? []), span])
  }
  return Array.from({ length: spans }, (_, place) => {
    const at = since + place * spanMs
    const found = byTime.get(at) ?? []
    const sum = (key: 'count' | 'failures' | 'timeouts' | 'failedOpen') =>
      found.reduce((total, span) => total + span[key], 0)
    // Of several hooks there are no common percentiles.
    const only = figures.length === 1 ? found[0] : undefined
    return {
      at,
      calls: sum('count'),
      failed: sum('failures'),
      timedOut: sum('timeouts'),
      failedOpen: sum('failedOpen'),
      p50: only?.p50 ?? null,
      p90: only?.p90 ?? null,
      p99: only?.p99 ?? null,
    }
  })
}

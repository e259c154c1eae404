import { HeartPulse } from 'lucide-react'
import { useMemo } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { Figures } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Age } from '../../ui/times.tsx'
import { causeText } from './cause-text.ts'
import { Chart } from './chart.tsx'
import { HookState } from './hook-state.tsx'
import { HooksOverTime } from './hooks-over-time.tsx'
import { countText, latencyText } from './numbers.ts'
import { sumSpans, type TimeRange } from './spans.ts'
import { timeTexts } from './time-text.ts'

interface OneHookProps {
  readonly name: string
  readonly figures: Figures | undefined
  readonly range: TimeRange
}

/** One hook: how often, how long, and what kept it from an answer. */
export function OneHook({ name, figures, range }: OneHookProps) {
  if (figures === undefined || figures.count === 0) {
    return (
      <EmptyState icon={<HeartPulse />} title="It has not run in this time">
        Choose a longer one. <HostileText text={name} /> may also be for
        operators only.
      </EmptyState>
    )
  }
  return <Known figures={figures} range={range} />
}

interface KnownProps {
  readonly figures: Figures
  readonly range: TimeRange
}

function Known({ figures, range }: KnownProps) {
  const { hook, quarantine, breaker, causes = [] } = figures
  const list = useMemo(() => [figures], [figures])
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-base font-semibold">
          <HostileText text={hook} />
        </h2>
        <HookState figures={figures} />
        <Link
          href={hrefOf('runs', { hook })}
          className="text-xs text-accent hover:underline"
        >
          Its runs
        </Link>
      </header>
      {quarantine !== undefined && (
        <p className="-mt-4 text-sm text-bad">
          <HostileText text={quarantine} />
        </p>
      )}
      {breaker === 'open' && (
        <p className="-mt-4 text-sm text-muted">
          It kept failing, so its newest call was not made; it is tried again
          after a pause, and runs as before once it succeeds.
        </p>
      )}
      <HooksOverTime figures={list} range={range} />
      <Latencies figures={figures} range={range} />
      <section aria-labelledby="causes-heading">
        <h2 id="causes-heading" className="mb-2 text-sm font-semibold">
          Failures by cause
        </h2>
        {causes.length === 0 ? (
          <p className="text-sm text-muted">None in this time.</p>
        ) : (
          <ul className="max-w-2xl">
            {causes.map(({ code, count, lastAt }) => (
              <li
                key={code}
                className="flex items-baseline gap-4 border-b border-line py-2 text-sm"
              >
                <span className="min-w-0 flex-1">
                  {causeText(code)}{' '}
                  <span className="font-mono text-xs text-muted">
                    <HostileText text={code} />
                  </span>
                </span>
                <span className="text-xs text-muted">
                  last <Age at={lastAt} />
                </span>
                <span className="w-16 text-right font-medium tabular-nums">
                  {countText(count)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function Latencies({ figures, range }: KnownProps) {
  const { times, series } = useMemo(() => {
    const spans = sumSpans([figures], range)
    const line = (key: 'p50' | 'p90' | 'p99', color: string, dot: string) => ({
      label: key,
      values: spans.map((span) => span[key]),
      color,
      dot,
      look: 'line' as const,
    })
    return {
      times: spans.map(({ at }) => at),
      series: [
        line('p50', '--good', 'bg-good'),
        line('p90', '--noted', 'bg-noted'),
        line('p99', '--changed', 'bg-changed'),
      ],
    }
  }, [figures, range])
  const { latency } = figures
  if (latency === undefined) return null
  const { p50, p90, p99, max } = latency
  const summary = `Half took at most ${latencyText(p50)}, 90 of 100 at most ${latencyText(p90)}, 99 of 100 at most ${latencyText(p99)}; the longest took ${latencyText(max)}.`
  return (
    <div>
      <Chart
        title="Latency"
        times={times}
        series={series}
        valueText={latencyText}
        {...timeTexts(range)}
        summary={summary}
      />
      <p className="mt-1 text-xs text-muted">{summary}</p>
    </div>
  )
}

import { HeartPulse } from 'lucide-react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { Figures } from '../../data/protocol.ts'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { HookState } from './hook-state.tsx'
import { countText, latencyText } from './numbers.ts'
import { type Since, sumSpans, type TimeRange } from './spans.ts'
import { Sparkline } from './sparkline.tsx'

interface HookTableProps {
  readonly figures: readonly Figures[]
  readonly range: TimeRange
  readonly since: Since
}

const cell = 'px-3 py-2 text-right whitespace-nowrap'

/** Every hook that has run, those in trouble first. */
export function HookTable({ figures, range, since }: HookTableProps) {
  const rows = figures.filter(isWorthARow).toSorted(byTrouble)
  if (rows.length === 0) {
    return (
      <EmptyState icon={<HeartPulse />} title="No hook has run in this time">
        Choose a longer one, or take a turn.
      </EmptyState>
    )
  }
  return (
    <section aria-labelledby="hooks-heading" className="min-w-0">
      <h2 id="hooks-heading" className="mb-2 text-sm font-semibold">
        Hooks
      </h2>
      <section
        // Whoever has no mouse scrolls it with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        aria-label="Figures of hooks"
        className="overflow-x-auto rounded-md border border-line"
      >
        <table className="w-full text-xs tabular-nums">
          <thead className="bg-sunken text-muted">
            <tr>
              <th className="px-3 py-2 text-left font-medium">Hook</th>
              <th className="px-3 py-2 text-left font-medium">State</th>
              <th className={classNames(cell, 'font-medium')}>Runs</th>
              <th className={classNames(cell, 'font-medium')}>Failed</th>
              <th className={classNames(cell, 'font-medium')}>Too late</th>
              <th className={classNames(cell, 'font-medium')}>Failed open</th>
              <th className={classNames(cell, 'font-medium')}>p50</th>
              <th className={classNames(cell, 'font-medium')}>p90</th>
              <th className={classNames(cell, 'font-medium')}>p99</th>
              <th className={classNames(cell, 'font-medium')}>Over time</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <Row key={one.hook} figures={one} range={range} since={since} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function isWorthARow({ count, quarantine }: Figures): boolean {
  return count > 0 || quarantine !== undefined
}

function troubleOf(one: Figures): number {
  const isHeld = one.breaker === 'open' || one.quarantine !== undefined
  return (isHeld ? 1e9 : 0) + one.failures + one.timeouts
}

function byTrouble(one: Figures, other: Figures): number {
  return troubleOf(other) - troubleOf(one) || other.count - one.count
}

interface RowProps {
  readonly figures: Figures
  readonly range: TimeRange
  readonly since: Since
}

function Row({ figures, range, since }: RowProps) {
  const { hook, count, failures, timeouts, failedOpen, latency } = figures
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className="max-w-64 truncate px-3 py-2">
        <Link
          href={hrefOf('health', { hook, since })}
          className="text-sm font-medium hover:underline"
        >
          <HostileText text={hook} />
        </Link>
      </td>
      <td className="px-3 py-2">
        <HookState figures={figures} />
      </td>
      <td className={cell}>
        {countText(count)}
        {figures.isCut && '+'}
      </td>
      <Bad count={failures} />
      <Bad count={timeouts} />
      <Bad count={failedOpen} isCaution />
      <td className={cell}>{latency ? latencyText(latency.p50) : '–'}</td>
      <td className={cell}>{latency ? latencyText(latency.p90) : '–'}</td>
      <td className={cell}>{latency ? latencyText(latency.p99) : '–'}</td>
      <td className={cell}>
        <span className="inline-block align-middle">
          <Sparkline spans={sumSpans([figures], range)} />
        </span>
      </td>
    </tr>
  )
}

interface BadProps {
  readonly count: number
  readonly isCaution?: boolean
}

function Bad({ count, isCaution = false }: BadProps) {
  const tone = isCaution ? 'text-caution' : 'text-bad'
  return (
    <td className={classNames(cell, count > 0 ? tone : 'text-muted')}>
      {countText(count)}
    </td>
  )
}

import type { ParamsOf } from '../../around/routes/addresses.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { SelectField } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { AgentFilter } from '../agent-filter.tsx'
import { Figure, FigureRow } from './figure.tsx'
import { costText, countText, shortText } from './numbers.ts'
import type { TimeRange } from './spans.ts'
import { UsageChart } from './usage-chart.tsx'
import { UsageTable } from './usage-table.tsx'

const byChoices = [
  { value: 'agent', label: 'By agent' },
  { value: 'session', label: 'By session' },
  { value: 'day', label: 'By day' },
] as const

type By = (typeof byChoices)[number]['value']

function isBy(value: string | undefined): value is By {
  return byChoices.some((choice) => choice.value === value)
}

interface UsageProps {
  readonly params: ParamsOf<'health'>
  readonly range: TimeRange
  readonly onChange: (change: ParamsOf<'health'>) => void
}

/** Tokens and cost, per agent, session and day. */
export function Usage({ params, range, onChange }: UsageProps) {
  const by = isBy(params.by) ? params.by : 'agent'
  const { agent } = params
  const asked = {
    since: range.since,
    until: range.until,
    ...(agent !== undefined && { agent }),
    offsetMinutes: -new Date().getTimezoneOffset(),
  }
  const options = { keepPrevious: true }
  const days = useAnswer('usageFigures', { ...asked, by: 'day' }, options)
  const { data, error, refetch } = useAnswer(
    'usageFigures',
    { ...asked, by },
    options,
  )
  const all = days.data?.items ?? []
  const sum = (key: 'turns' | 'inputTokens' | 'outputTokens') =>
    all.reduce((total, item) => total + item[key], 0)
  const priced = all.flatMap(({ cost }) => cost ?? [])
  const cost =
    priced.length === 0
      ? undefined
      : priced.reduce((total, one) => total + one, 0)
  const unpriced = all.reduce((total, item) => total + item.unpriced, 0)
  return (
    <section
      aria-labelledby="usage-heading"
      className="flex min-w-0 flex-col gap-4"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h2 id="usage-heading" className="mr-auto text-sm font-semibold">
          Tokens and cost
        </h2>
        <AgentFilter
          agent={agent}
          onChoose={(next) => onChange({ agent: next || undefined })}
        />
        <SelectField
          label="Tokens and cost by"
          value={by}
          choices={byChoices}
          onChoose={(next) => onChange({ by: next })}
        />
      </header>
      <FigureRow>
        <Figure label="Turns" text={countText(sum('turns'))} />
        <Figure label="Tokens in" text={shortText(sum('inputTokens'))} />
        <Figure label="Tokens out" text={shortText(sum('outputTokens'))} />
        <Figure label="Cost" text={costText(cost)} />
      </FigureRow>
      {unpriced > 0 && (
        <p className="text-xs text-muted">
          {countText(unpriced)} {unpriced === 1 ? 'turn has' : 'turns have'} no
          cost, as their model has no price; give it one under{' '}
          <code className="font-mono">models</code> in the configuration.
        </p>
      )}
      {all.length > 1 && <UsageChart items={all} />}
      {error !== null && data === undefined && (
        <ErrorState
          title="What turns used cannot be read"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && <UsageTable by={by} items={data.items} />}
      {data?.isCut && (
        <p className="text-xs text-muted">
          Only the newest 20,000 turns of this time are counted.
        </p>
      )}
    </section>
  )
}

import { useMemo } from 'react'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { SelectField } from '../../ui/field.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useNow } from '../../ui/times.tsx'
import { HookTable } from './hook-table.tsx'
import { HooksOverTime } from './hooks-over-time.tsx'
import { OneHook } from './one-hook.tsx'
import { isSince, rangeOf, sinceChoices } from './spans.ts'
import { Usage } from './usage.tsx'

interface HealthViewProps {
  readonly params: ParamsOf<'health'>
}

/** How hooks do, and what turns use, over a time. */
export function HealthView({ params }: HealthViewProps) {
  const { hook } = params
  const shown = isSince(params.since) ? params.since : '24h'
  const now = useNow(30_000)
  const { since, until, spans, spanMs } = rangeOf(shown, now)
  const range = useMemo(
    () => ({ since, until, spans, spanMs }),
    [since, until, spans, spanMs],
  )
  const asked = { since, until, spans }
  const { data, error, refetch } = useAnswer('hookFigures', asked, {
    keepPrevious: true,
  })
  const set = (change: ParamsOf<'health'>) =>
    navigate(hrefOf('health', { ...params, ...change }), { replace: true })
  const figures = data?.items
  const chosen = figures?.find((one) => one.hook === hook)
  const names = figures?.map((one) => one.hook) ?? []
  return (
    <Page
      name="Health"
      title="Health"
      toolbar={
        <>
          <SelectField
            label="Since"
            value={shown}
            choices={sinceChoices}
            onChoose={(next) => set({ since: next })}
          />
          <SelectField
            label="Hook"
            value={hook ?? ''}
            choices={[
              { value: '', label: 'All hooks' },
              ...withOwn(names, hook).map((name) => {
                return { value: name, label: name }
              }),
            ]}
            onChoose={(next) => set({ hook: next || undefined })}
          />
        </>
      }
    >
      <Scroll>
        <div className="flex max-w-7xl flex-col gap-8 p-4">
          {figures === undefined &&
            (error === null ? (
              <LoadingRows label="Loading figures" />
            ) : (
              <ErrorState
                title="The figures cannot be read"
                error={error}
                onRetry={() => void refetch()}
              />
            ))}
          {figures !== undefined && hook !== undefined && (
            <OneHook name={hook} figures={chosen} range={range} />
          )}
          {figures !== undefined && hook === undefined && (
            <>
              <HooksOverTime figures={figures} range={range} />
              <HookTable figures={figures} range={range} since={shown} />
            </>
          )}
          {hook === undefined && (
            <Usage params={params} range={range} onChange={set} />
          )}
        </div>
      </Scroll>
    </Page>
  )
}

function withOwn(names: readonly string[], own: string | undefined) {
  return own === undefined || names.includes(own) ? names : [own, ...names]
}

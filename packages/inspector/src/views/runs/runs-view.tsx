import { ListTree, X } from 'lucide-react'
import { useRef } from 'react'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import { runOutcomes } from '../../data/protocol.ts'
import { useRuns } from '../../data/runs/use-runs.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PagedCount, PagedList } from '../list/paged-list.tsx'
import { SearchField } from '../list/search-field.tsx'
import { useListSelection } from '../list/use-list-selection.ts'
import { useSettled } from '../list/use-settled.ts'
import { isRunOutcome, outcomeChoices } from '../outcomes.ts'
import { RunRow, runRowHeight } from './run-row.tsx'

const runChoices = outcomeChoices('Any outcome', runOutcomes)

interface RunsViewProps {
  readonly params: ParamsOf<'runs'>
}

/** What hooks did, the newest first; what is looked for stands in the address. */
export function RunsView({ params }: RunsViewProps) {
  const { session, hook, point, state, search = '' } = params
  const words = useSettled(search.trim())
  const wanted = {
    limit: 100,
    ...(session !== undefined && { sessionId: session }),
    ...(hook !== undefined && { hook }),
    ...(point !== undefined && { point }),
    ...(words !== '' && { search: words }),
    ...(isRunOutcome(state) && { outcome: state }),
  }
  const pages = useRuns(wanted)
  const set = (change: ParamsOf<'runs'>) =>
    navigate(hrefOf('runs', { ...params, ...change }), { replace: true })
  const field = useRef<HTMLInputElement>(null)
  const selected = useListSelection(pages.items, {
    open: (runId) => navigate(hrefOf('run', { runId })),
    search: () => field.current?.focus(),
  })
  const isFiltered = Object.values(params).some(Boolean)
  return (
    <Page
      name="Runs"
      title="Runs"
      toolbar={
        <>
          <SearchField
            ref={field}
            label="Search runs"
            placeholder="Hook, reason, failure or id"
            className="w-full sm:w-64"
            value={search}
            onSearch={(next) => set({ search: next })}
          />
          <PlanFilters params={params} onChange={set} />
          <SelectField
            label="Outcome"
            value={state ?? ''}
            choices={runChoices}
            onChoose={(next) => set({ state: next || undefined })}
          />
          {session !== undefined && (
            <Button
              aria-label="All sessions"
              className="max-w-60"
              icon={<X className="size-3.5" />}
              onClick={() => set({ session: undefined })}
            >
              <span className="truncate">
                Session <HostileText text={session} />
              </span>
            </Button>
          )}
          <PagedCount pages={pages} one="run" many="runs" />
        </>
      }
    >
      <PagedList
        pages={pages}
        name="runs"
        label="Runs"
        empty={<NoRuns isFiltered={isFiltered} />}
        rowHeight={runRowHeight}
        selected={selected}
        renderRow={(run, isSelected) => (
          <RunRow run={run} isSelected={isSelected} />
        )}
      />
    </Page>
  )
}

/** What stands there where there are none. */
function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={<ListTree />} title="No run is like that">
      Take a filter away, or search for something else.
    </EmptyState>
  ) : (
    <EmptyState icon={<ListTree />} title="No hook has run yet">
      Every run of a hook shows up here as soon as it ends, with what it was
      given and what it said.
    </EmptyState>
  )
}

interface PlanFiltersProps {
  readonly params: ParamsOf<'runs'>
  readonly onChange: (change: ParamsOf<'runs'>) => void
}

/** By hooks and points that there are, and the one that is asked for. */
function PlanFilters({ params, onChange }: PlanFiltersProps) {
  const { hook = '', point = '' } = params
  const { data } = useAnswer('listHooks', {})
  const hooks = data?.items.map(({ name }) => name) ?? []
  const points = data?.items.map((one) => one.point) ?? []
  return (
    <>
      <SelectField
        label="Hook"
        className="max-w-[calc(50%-0.25rem)] sm:max-w-52"
        value={hook}
        choices={choicesOf('All hooks', hooks, hook)}
        onChoose={(next) => onChange({ hook: next || undefined })}
      />
      <SelectField
        label="Point"
        className="max-w-[calc(50%-0.25rem)] sm:max-w-56"
        value={point}
        choices={choicesOf('All points', points, point)}
        onChoose={(next) => onChange({ point: next || undefined })}
      />
    </>
  )
}

function choicesOf(all: string, names: readonly string[], chosen: string) {
  const known = new Set(chosen === '' ? names : [...names, chosen])
  return [
    { value: '', label: all },
    ...[...known].toSorted().map((name) => ({ value: name, label: name })),
  ]
}

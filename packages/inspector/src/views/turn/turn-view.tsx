import { Download, ZoomIn, ZoomOut } from 'lucide-react'
import { useDeferredValue, useMemo, useRef } from 'react'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { isGone } from '../../data/is-gone.ts'
import { useTurnTrace } from '../../data/trace/use-turn-trace.ts'
import { SelectField } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Crumb } from '../crumb.tsx'
import { Deleted } from '../deleted.tsx'
import { SearchField } from '../list/search-field.tsx'
import {
  isOutcome,
  type Outcome,
  outcomeChoices,
  outcomes,
} from '../outcomes.ts'
import { download, exportOf } from './export-turn.ts'
import { PromptTab } from './prompt/prompt-tab.tsx'
import { buildTree } from './timeline/build-tree.ts'
import { isKind, kinds } from './timeline/nodes.ts'
import { Timeline } from './timeline/timeline.tsx'
import type { RangeControl } from './timeline/use-range.ts'
import { useTold } from './timeline/use-told.ts'
import { TurnHeading, TurnNotes, TurnTabs } from './turn-heading.tsx'

interface TurnViewProps {
  readonly params: ParamsOf<'turn'>
}

/** One turn: when everything happened, and who wrote its prompt. */
export function TurnView({ params }: TurnViewProps) {
  const { sessionId, turnId } = params
  // Another turn is another view: nothing of the last one stays.
  return <OpenTurn key={`${sessionId}/${turnId}`} params={params} />
}

function OpenTurn({ params }: TurnViewProps) {
  const { sessionId, turnId, run, tab, search = '' } = params
  const place = useMemo(() => ({ sessionId, turnId }), [sessionId, turnId])
  const trace = useTurnTrace(place)
  const { data, error } = trace
  const told = useTold(place, data?.events)
  const root = useMemo(
    () => (data === undefined ? undefined : buildTree(data, told)),
    [data, told],
  )
  const words = useDeferredValue(search)
  const kind = isKind(params.kind) ? params.kind : undefined
  const outcome = isOutcome(params.outcome) ? params.outcome : undefined
  const filter = useMemo(
    () => ({ kind, outcome, search: words }),
    [kind, outcome, words],
  )
  const field = useRef<HTMLInputElement>(null)
  const controls = useRef<RangeControl>(null)
  const set = (change: Partial<ParamsOf<'turn'>>) =>
    navigate(hrefOf('turn', { ...params, ...change }), { replace: true })
  const isDeleted = data !== undefined && isGone(error)
  if (isDeleted || data === undefined || root === undefined) {
    return (
      <Page name="Turn" title={<PlainHeading sessionId={sessionId} />}>
        {isDeleted && <Deleted what="turn" />}
        {!isDeleted && error === null && (
          <LoadingRows label="Loading the turn" />
        )}
        {!isDeleted && error !== null && (
          <ErrorState
            title="This turn cannot be shown"
            error={error}
            onRetry={() => void trace.refetch()}
          />
        )}
      </Page>
    )
  }
  const { turn } = data
  const isPrompt = tab === 'prompt'
  return (
    <Page
      name={`Turn ${turn.number} · ${turn.agent}`}
      title={<TurnHeading turn={turn} told={told} />}
      actions={
        <IconButton
          label="Export as JSON"
          icon={<Download />}
          onClick={() =>
            download(`turn-${turn.number}-${turnId}.json`, exportOf(data, told))
          }
        />
      }
      toolbar={
        <>
          <TurnTabs
            tab={isPrompt ? 'prompt' : 'timeline'}
            onTab={(next) =>
              set({ tab: next === 'prompt' ? 'prompt' : undefined })
            }
          />
          {!isPrompt && (
            <>
              <SearchField
                ref={field}
                label="Search the turn"
                placeholder="Hook, tool or point"
                className="min-w-32 flex-1 sm:w-52 sm:flex-none"
                value={search}
                onSearch={(next) => set({ search: next })}
              />
              <SelectField
                label="Kind"
                value={kind ?? ''}
                choices={kindChoices}
                onChoose={(next) => set({ kind: next || undefined })}
              />
              <SelectField
                label="Outcome"
                value={outcome ?? ''}
                choices={allOutcomes}
                onChoose={(next) => set({ outcome: next || undefined })}
              />
              <span className="ml-auto hidden sm:flex">
                <IconButton
                  label="Farther"
                  icon={<ZoomOut />}
                  onClick={() => controls.current?.zoomBy(2)}
                />
                <IconButton
                  label="Closer"
                  icon={<ZoomIn />}
                  onClick={() => controls.current?.zoomBy(0.5)}
                />
              </span>
            </>
          )}
        </>
      }
    >
      <TurnNotes trace={data} told={told} />
      {isPrompt ? (
        <PromptTab turn={turn} told={told} />
      ) : (
        <Timeline
          place={place}
          root={root}
          filter={filter}
          run={run}
          onRun={(next) => set({ run: next })}
          search={field}
          controls={controls}
        />
      )}
    </Page>
  )
}

/** Of a turn that cannot be shown: the way back to where it would be. */
function PlainHeading({ sessionId }: { readonly sessionId: string }) {
  return (
    <>
      <Crumb href={hrefOf('session', { sessionId })}>Session</Crumb>
      Turn
    </>
  )
}

const kindChoices = [
  { value: '', label: 'All kinds' },
  ...Object.entries(kinds)
    .filter(([value]) => value !== 'turn')
    .map(([value, label]) => ({ value, label })),
]

const allOutcomes = outcomeChoices(
  'All outcomes',
  // Its keys are all there are.
  Object.keys(outcomes) as Outcome[],
)

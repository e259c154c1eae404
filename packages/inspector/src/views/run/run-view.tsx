import { Copy, MoveLeft, MoveRight } from 'lucide-react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import { hrefOf, type ParamsOf } from '../../around/routes/addresses.ts'
import { navigate } from '../../around/routes/navigation.ts'
import { useAnswer } from '../../data/daemon-context.ts'
import type { OpenedRun } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Crumb } from '../crumb.tsx'
import { lookOfRun } from '../outcomes.ts'
import { RunContent } from './run-content.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunHeadline } from './run-headline.tsx'
import { RunOrder } from './run-order.tsx'

interface RunViewProps {
  readonly params: ParamsOf<'run'>
}

/** One run of a hook: what it was given, what it said, and why it was asked. */
export function RunView({ params }: RunViewProps) {
  const { data: run, error, refetch } = useAnswer('getRun', params)
  if (run === undefined) {
    return (
      <Page name="Run" title="Run">
        {error === null ? (
          <LoadingRows label="Loading the run" count={4} />
        ) : (
          <ErrorState
            title="This run cannot be shown"
            error={error}
            onRetry={() => void refetch()}
          />
        )}
      </Page>
    )
  }
  return <OpenRun run={run} />
}

interface OpenRunProps {
  readonly run: OpenedRun
}

function OpenRun({ run }: OpenRunProps) {
  const { hook, point, state } = run
  const { tone, word } = lookOfRun(run)
  const { previous, next } = useNeighbours(run)
  const copy = () =>
    void navigator.clipboard.writeText(window.location.href).catch(() => {})
  return (
    <Page
      name={`${hook} at ${point}`}
      title={
        <>
          <Crumb href={hrefOf('runs')}>Runs</Crumb>
          <span className="truncate">
            <HostileText text={hook} />
          </span>
          <span className="ml-1 font-normal">
            <Status tone={tone} isLive={state === 'started'}>
              {word}
            </Status>
          </span>
        </>
      }
      actions={
        <span className="flex">
          <IconButton
            label="Previous hook of this dispatch"
            icon={<MoveLeft />}
            disabled={previous === undefined}
            onClick={() => goTo(previous)}
          />
          <IconButton
            label="Next hook of this dispatch"
            icon={<MoveRight />}
            disabled={next === undefined}
            onClick={() => goTo(next)}
          />
          <IconButton label="Copy link" icon={<Copy />} onClick={copy} />
        </span>
      }
    >
      <Scroll>
        <div className="mx-auto grid max-w-6xl gap-x-10 gap-y-8 px-4 py-6 sm:px-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="flex min-w-0 flex-col gap-8">
            <RunHeadline run={run} />
            <RunContent run={run} />
            <RunOrder run={run} />
          </div>
          <RunFacts run={run} />
        </div>
      </Scroll>
    </Page>
  )
}

function goTo(runId: string | undefined): void {
  if (runId !== undefined) navigate(hrefOf('run', { runId }))
}

/** Those before and after it; the keys lead there. */
function useNeighbours({ id, beside }: OpenedRun) {
  const at = beside.findIndex((one) => one.id === id)
  const previous = beside[at - 1]?.id
  const next = beside[at + 1]?.id
  useShortcuts([
    {
      keys: 'j',
      about: 'Next hook of this dispatch',
      group: 'This view',
      run: () => goTo(next),
    },
    {
      keys: 'k',
      about: 'Previous hook of this dispatch',
      group: 'This view',
      run: () => goTo(previous),
    },
  ])
  return { previous, next }
}

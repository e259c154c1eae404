import { hrefOf } from '../../around/routes/addresses.ts'
import type { Run } from '../../data/protocol.ts'
import { Badge, Status } from '../../ui/badge.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age, preciseDuration } from '../../ui/times.tsx'
import { ListRow } from '../list/list-row.tsx'
import { lookOfRun } from '../outcomes.ts'

export const runRowHeight = 52

interface RunRowProps {
  readonly run: Run
  readonly isSelected: boolean
}

/** What it says at most on one line. */
const maxWords = 300

export function RunRow({ run, isSelected }: RunRowProps) {
  const { id, hook, point, state, decided, startedAt } = run
  const { tone, word } = lookOfRun(run)
  return (
    <ListRow href={hrefOf('run', { runId: id })} isSelected={isSelected}>
      <span className="shrink-0 sm:w-28">
        <Status tone={tone} isLive={state === 'started'} isShort>
          {word}
        </Status>
      </span>
      <span className="w-full min-w-0 max-sm:flex-1 sm:w-56 sm:shrink-0">
        <span className="block truncate text-sm font-medium">
          <HostileText text={hook} />
        </span>
        <span className="block truncate text-xs text-muted">
          {point}
          <span className="sm:hidden"> · {word}</span>
        </span>
      </span>
      <span className="hidden min-w-0 flex-1 truncate text-sm text-muted sm:block">
        <HostileText text={wordsOf(run).slice(0, maxWords)} />
      </span>
      {decided && <Badge className="max-md:hidden">decided it</Badge>}
      <span className="hidden w-16 shrink-0 text-right text-xs text-muted tabular-nums sm:block">
        {tookText(run)}
      </span>
      <span className="w-12 shrink-0 text-right text-xs text-muted tabular-nums">
        <Age at={startedAt} />
      </span>
    </ListRow>
  )
}

interface Timed {
  readonly state?: string | undefined
  readonly latencyMs?: number | undefined
}

/** How long a run took; of one that never began there is nothing to say. */
export function tookText({ state, latencyMs }: Timed): string {
  if (latencyMs === undefined || state === 'skipped') return ''
  return preciseDuration(latencyMs)
}

function wordsOf({ failure, reason, contributions, callId }: Run): string {
  const kinds = [...new Set(contributions.map(({ kind }) => kind))].join(', ')
  const added = kinds === '' ? '' : `adds ${kinds}`
  const words = failure?.message || reason || added || callId || ''
  return words.replaceAll(/\s+/g, ' ')
}

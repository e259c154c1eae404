import { hrefOf } from '../../around/routes/addresses.ts'
import type { WholeTrace } from '../../data/trace/read-trace.ts'
import { Status } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { durationText } from '../../ui/times.tsx'
import { Crumb } from '../crumb.tsx'
import { lookOfTurn } from '../outcomes.ts'
import type { TracedTurn } from './timeline/nodes.ts'
import type { ToldTurn } from './timeline/told-turn.ts'

interface TurnHeadingProps {
  readonly turn: TracedTurn
  readonly told: ToldTurn
}

export function TurnHeading({ turn, told }: TurnHeadingProps) {
  const { sessionId, agent, number, endedAt, startedAt } = turn
  const isOver = endedAt !== null || told.end !== undefined
  const status =
    endedAt === null ? (told.end?.status ?? 'running') : turn.status
  const { tone, word } = lookOfTurn(status)
  const tokens = (turn.inputTokens ?? 0) + (turn.outputTokens ?? 0)
  return (
    <>
      <Crumb href={hrefOf('session', { sessionId })}>
        <HostileText text={agent} />
      </Crumb>
      <span className="whitespace-nowrap">Turn {number}</span>
      <span className="ml-1 font-normal">
        <Status tone={tone} isLive={!isOver}>
          {word}
        </Status>
      </span>
      {endedAt !== null && (
        <span className="ml-2 hidden text-xs font-normal whitespace-nowrap text-muted md:inline">
          {durationText(endedAt - startedAt)}
          {tokens > 0 && ` · ${tokens.toLocaleString('en')} tokens`}
          {turn.model !== null && ' · '}
          {turn.model !== null && <HostileText text={turn.model} />}
        </span>
      )}
    </>
  )
}

const tabs = { timeline: 'Timeline', prompt: 'Prompt' } as const
type Tab = keyof typeof tabs

interface TurnTabsProps {
  readonly tab: Tab
  readonly onTab: (tab: string) => void
}

export function TurnTabs({ tab, onTab }: TurnTabsProps) {
  return (
    <fieldset
      aria-label="What is shown"
      className="inline-flex h-8 items-center rounded-md bg-sunken p-0.5"
    >
      {Object.entries(tabs).map(([name, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === tab}
          onClick={() => onTab(name)}
          className={classNames(
            'h-7 rounded-sm px-2.5 text-xs font-medium',
            name === tab
              ? 'bg-raised text-ink shadow-[0_0_0_1px_var(--line)]'
              : 'text-muted hover:text-ink',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

interface TurnNotesProps {
  readonly trace: WholeTrace
  readonly told: ToldTurn
}

/** What cannot be seen here, and why. */
export function TurnNotes({ trace, told }: TurnNotesProps) {
  const { hidden, isCut, events, turn } = trace
  const notes = [
    hidden > 0 && `${hidden} runs are of hooks that only operators may see.`,
    isCut && 'There is more of this turn than can be drawn.',
    events === undefined &&
      turn.endedAt !== null &&
      'The events of this turn are no longer kept, so its steps and model calls are not drawn.',
    told.isCut && 'Some events of this turn were left out.',
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <p className="shrink-0 border-b border-line bg-sunken px-4 py-1.5 text-xs text-muted">
      {notes.join(' ')}
    </p>
  )
}

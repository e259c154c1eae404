import { memo } from 'react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age, durationText } from '../../ui/times.tsx'
import { lookOfTurn } from '../outcomes.ts'
import { CallCard } from './call-card.tsx'
import type { Entry, Turn } from './conversation/conversation.ts'
import { NoteLine } from './note-line.tsx'
import { SaidText, WrittenText } from './written-text.tsx'

interface TurnBlockProps {
  readonly sessionId: string
  readonly turn: Turn
}

/** One turn: what was asked, everything on the way, and how it ended. */
export const TurnBlock = memo(function TurnBlock(props: TurnBlockProps) {
  const { sessionId, turn } = props
  const { number, status, reason, entries } = turn
  const isOver = status !== 'running'
  const end = lookOfTurn(status)
  return (
    <section
      aria-label={`Turn ${number}`}
      className="flex flex-col gap-3 [contain-intrinsic-size:auto_400px] [content-visibility:auto]"
    >
      <TurnLine sessionId={sessionId} turn={turn} />
      {entries.map((entry) => (
        <EntryBlock key={entry.key} entry={entry} />
      ))}
      {isOver && status !== 'succeeded' && (
        <p className="flex items-start gap-2 text-sm">
          <Badge tone={end.tone}>{end.word}</Badge>
          <span className="min-w-0 break-words text-muted">
            <HostileText text={reason ?? 'Nobody said why.'} />
          </span>
        </p>
      )}
    </section>
  )
})

function TurnLine({ sessionId, turn }: TurnBlockProps) {
  const { id: turnId, number, startedAt, endedAt, tokens } = turn
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <Link
        href={hrefOf('turn', { sessionId, turnId })}
        className="font-medium hover:text-ink hover:underline"
      >
        Turn {number}
      </Link>
      <span aria-hidden="true" className="h-px flex-1 bg-line" />
      {endedAt !== undefined && (
        <span>{durationText(endedAt - startedAt)}</span>
      )}
      {tokens > 0 && <span>{tokens.toLocaleString('en')} tokens</span>}
      <Age at={startedAt} />
    </div>
  )
}

interface EntryBlockProps {
  readonly entry: Entry
}

function EntryBlock({ entry }: EntryBlockProps) {
  switch (entry.type) {
    case 'said':
      return <SaidText entry={entry} />
    case 'text':
      return <WrittenText entry={entry} />
    case 'call':
      return <CallCard call={entry} />
    case 'note':
      return <NoteLine note={entry} />
    default:
      entry satisfies never
      return null
  }
}

import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { durationText, useNow } from '../../ui/times.tsx'
import { type Tone, toneDot } from '../../ui/tone.ts'
import type { Entry, Turn } from './conversation/conversation.ts'
import { toneOf } from './note-line.tsx'

interface TurnOutlineProps {
  readonly sessionId: string
  readonly turn: Turn
}

/** Enough to see what goes on; the timeline of the turn has all of it. */
const maxLines = 200

/** The turn beside its words: every call and every hook, as they come. */
export function TurnOutline({ sessionId, turn }: TurnOutlineProps) {
  const { id: turnId, number, startedAt, endedAt, tokens, entries } = turn
  const now = useNow(1_000)
  const lines = entries.flatMap(linesOf).slice(-maxLines)
  return (
    <aside
      aria-label="Outline of the turn"
      className="hidden w-72 shrink-0 flex-col overflow-y-auto border-l border-line xl:flex"
    >
      <header className="flex items-baseline justify-between px-4 pt-4 pb-2">
        <h2 className="text-sm font-semibold">Turn {number}</h2>
        <Link
          href={hrefOf('turn', { sessionId, turnId })}
          className="text-xs text-accent hover:underline"
        >
          Timeline
        </Link>
      </header>
      <dl className="flex gap-6 px-4 pb-3 text-xs">
        <div>
          <dt className="text-muted">Time</dt>
          <dd>{durationText((endedAt ?? now) - startedAt)}</dd>
        </div>
        <div>
          <dt className="text-muted">Tokens</dt>
          <dd>{tokens.toLocaleString('en')}</dd>
        </div>
      </dl>
      <ol className="flex flex-col px-2 pb-4">
        {lines.map(({ key, tone, name, words, isInner }) => (
          <li
            key={key}
            className={classNames(
              'flex min-h-7 items-center gap-2 rounded-sm px-2 text-xs',
              isInner && 'ml-4',
            )}
          >
            <span
              aria-hidden="true"
              className={classNames(
                'size-1.5 shrink-0 rounded-full',
                toneDot[tone],
              )}
            />
            <span className="shrink-0 font-medium">
              <HostileText text={name} />
            </span>
            <span className="min-w-0 truncate text-muted">
              <HostileText text={words} />
            </span>
          </li>
        ))}
        {lines.length === 0 && (
          <li className="px-2 text-xs text-muted">
            Calls and hooks show up here.
          </li>
        )}
      </ol>
    </aside>
  )
}

interface Line {
  readonly key: string
  readonly tone: Tone
  readonly name: string
  readonly words: string
  /** It belongs to the call above it. */
  readonly isInner: boolean
}

const callTones: Readonly<Record<string, Tone>> = {
  asked: 'caution',
  running: 'noted',
  executed: 'good',
  synthesized: 'changed',
  denied: 'bad',
}

function linesOf(entry: Entry): readonly Line[] {
  if (entry.type === 'note') {
    const { key, hook = '', title } = entry
    return [
      { key, tone: toneOf(entry), name: hook, words: title, isInner: false },
    ]
  }
  if (entry.type !== 'call') return []
  const { key, tool, state, elapsedMs, edits } = entry
  const words =
    elapsedMs === undefined || state === 'denied'
      ? state.replace('_', ' ')
      : durationText(elapsedMs)
  const tone = callTones[state] ?? 'neutral'
  return [
    { key, tone, name: tool, words, isInner: false },
    ...edits.map((note) => ({
      key: note.key,
      tone: toneOf(note),
      name: note.hook ?? '',
      words: note.title,
      isInner: true,
    })),
  ]
}

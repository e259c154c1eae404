import { ChevronRight, Webhook } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { type Tone, toneText } from '../../ui/tone.ts'
import type { NoteEntry } from './conversation/conversation.ts'

const tones: Readonly<Record<NoteEntry['kind'], Tone>> = {
  inject: 'noted',
  replace: 'changed',
  withhold: 'bad',
  notice: 'neutral',
  answer: 'changed',
  compaction: 'neutral',
  subagent: 'neutral',
  gap: 'caution',
}

const levels: Readonly<Record<NonNullable<NoteEntry['level']>, Tone>> = {
  info: 'neutral',
  warning: 'caution',
  error: 'bad',
}

/** The colour of what a hook did. */
export function toneOf({ kind, level }: NoteEntry): Tone {
  return level === undefined ? tones[kind] : levels[level]
}

/** A hook did something; what it put in can be looked at. */
export function NoteLine({ note }: { readonly note: NoteEntry }) {
  const [isShown, setShown] = useState(false)
  const { hook, title, point, detail } = note
  const line = (
    <>
      <Webhook
        aria-hidden="true"
        className={classNames('size-3.5 shrink-0', toneText[toneOf(note)])}
      />
      <span className="min-w-0 truncate">
        {hook !== undefined && (
          <span className="font-medium text-ink">
            <HostileText text={hook} />{' '}
          </span>
        )}
        <HostileText text={title} />
        {point !== undefined && <span className="text-faint"> · {point}</span>}
      </span>
    </>
  )
  if (detail === undefined) {
    return <p className="flex items-center gap-2 text-xs text-muted">{line}</p>
  }
  return (
    <div className="text-xs text-muted">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
        className="flex max-w-full items-center gap-2 rounded-sm text-left hover:text-ink"
      >
        {line}
        <ChevronRight
          aria-hidden="true"
          className={classNames(
            'size-3.5 shrink-0 transition-transform',
            isShown && 'rotate-90',
          )}
        />
      </button>
      {isShown && (
        <div className="mt-1 ml-1.5 border-l-2 border-line pl-3 break-words whitespace-pre-wrap">
          <HostileText text={detail} sliceLength={4_000} />
        </div>
      )}
    </div>
  )
}

import { Brain, ChevronRight, CornerDownRight } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import type { SaidEntry, TextEntry } from './conversation/conversation.ts'

/** What a person said. */
export function SaidText({ entry }: { readonly entry: SaidEntry }) {
  return (
    <div className="flex flex-col items-end gap-1">
      {entry.isSteering && (
        <span className="flex items-center gap-1 text-xs text-muted">
          <CornerDownRight aria-hidden="true" className="size-3" />
          while it ran
        </span>
      )}
      <div className="max-w-[85%] rounded-lg bg-active px-3.5 py-2 text-base break-words whitespace-pre-wrap">
        <HostileText text={entry.text} />
      </div>
    </div>
  )
}

/** What the agent says, as it says it. */
export function WrittenText({ entry }: { readonly entry: TextEntry }) {
  const { kind, text, isOpen, within } = entry
  if (kind === 'reasoning') return <Reasoning entry={entry} />
  return (
    <div
      className={classNames(within.length > 0 && 'border-l-2 border-line pl-3')}
    >
      {within.length > 0 && (
        <p className="text-xs text-muted">
          <HostileText text={within.join(' › ')} />
        </p>
      )}
      <div className="text-base break-words whitespace-pre-wrap">
        <HostileText text={text} />
        {entry.isCut === true && (
          <p className="mt-2 text-xs text-caution">
            The rest is left out here: it is too long for a page.{' '}
            <code className="font-mono">hookline sessions export</code> has all
            of it.
          </p>
        )}
        {isOpen && (
          <span
            aria-hidden="true"
            className="ml-0.5 inline-block h-4 w-1.5 translate-y-0.5 animate-pulse-soft rounded-xs bg-accent"
          />
        )}
      </div>
    </div>
  )
}

function Reasoning({ entry: { text, isOpen } }: { readonly entry: TextEntry }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="text-sm text-muted">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
        className="flex items-center gap-1.5 rounded-sm hover:text-ink"
      >
        <Brain aria-hidden="true" className="size-3.5" />
        {isOpen ? 'Thinking' : 'Thought'}
        <ChevronRight
          aria-hidden="true"
          className={classNames(
            'size-3.5 transition-transform',
            isShown && 'rotate-90',
          )}
        />
      </button>
      {isShown && (
        <div className="mt-1 border-l-2 border-line pl-3 break-words whitespace-pre-wrap">
          <HostileText text={text} />
        </div>
      )}
    </div>
  )
}

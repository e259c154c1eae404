import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Approval } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { answerText } from './state-words.ts'
import type { Waiting } from './waiting.ts'

interface AnsweredNotesProps {
  readonly waiting: readonly Waiting[]
  readonly answered: readonly Approval[]
  /** Nobody has to be told what they did themselves. */
  readonly answeredHere: ReadonlySet<string>
}

const maxNotes = 3
/** What was seen to wait is remembered for so many. */
const maxSeen = 1_000

/** Says of what was here a moment ago who has answered it elsewhere. */
export function AnsweredNotes(props: AnsweredNotesProps) {
  const { waiting, answered, answeredHere } = props
  const seen = useRef(new Set<string>())
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  for (const { key } of waiting) {
    if (seen.current.size < maxSeen) seen.current.add(key)
  }
  const notes = answered
    .filter(
      ({ id, state }) =>
        state !== 'pending' &&
        seen.current.has(id) &&
        !answeredHere.has(id) &&
        !hidden.has(id),
    )
    .slice(0, maxNotes)
  return (
    <div role="status" aria-label="Answered elsewhere" className="shrink-0">
      {notes.map((approval) => (
        <p
          key={approval.id}
          className="flex items-center gap-2 border-b border-line bg-noted-soft py-0.5 pr-2 pl-4 text-xs"
        >
          <span className="min-w-0 flex-1 truncate">
            <span className="font-medium">
              <HostileText text={approval.tool} sliceLength={100} />
            </span>{' '}
            <HostileText
              text={answerText(approval).toLowerCase()}
              sliceLength={200}
            />
          </span>
          <IconButton
            label="Hide this note"
            icon={<X />}
            className="size-6"
            onClick={() => setHidden(new Set([...hidden, approval.id]))}
          />
        </p>
      ))}
    </div>
  )
}

import { ArrowDown, MessageSquare } from 'lucide-react'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { SessionDetail } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { Conversation } from './conversation/conversation.ts'
import { EarlierMessages } from './earlier-messages.tsx'
import { TurnBlock } from './turn-block.tsx'

interface ConversationListProps {
  readonly session: SessionDetail
  readonly conversation: Conversation
  /** What waits for an answer, below everything. */
  readonly footer: ReactNode
}

/** How many turns are drawn at first, and more each time. */
const pageTurns = 20
/** So near to the end counts as the end. */
const nearPixels = 80

/** What was said and done. It follows the end, unless somebody reads above it. */
export function ConversationList(props: ConversationListProps) {
  const { session, conversation, footer } = props
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAway, setAway] = useState(false)
  const [shown, setShown] = useState(pageTurns)
  const toEnd = useCallback(() => {
    const box = scroller.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }, [])
  useEffect(() => {
    const inner = content.current
    if (inner === null) return
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd()
    })
    observer.observe(inner)
    return () => observer.disconnect()
  }, [toEnd])
  useLayoutEffect(() => {
    if (follows.current) toEnd()
  })
  const onScroll = () => {
    const box = scroller.current
    if (box === null) return
    const left = box.scrollHeight - box.scrollTop - box.clientHeight
    follows.current = left < nearPixels
    setAway(!follows.current)
  }
  const turns = conversation.turns.slice(-shown)
  const hidden = conversation.turns.length - turns.length
  const [first] = conversation.turns
  const isEmpty = first === undefined
  // The log of events may begin after the session did, with nothing to say so.
  const isLate = isEmpty ? session.turns > 0 : first.number > 1
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={onScroll}
        // Whoever has no mouse scrolls it with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        className="h-full overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div
          ref={content}
          className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-6"
        >
          {(conversation.isCut || isLate) && hidden === 0 && (
            <EarlierMessages session={session} first={first} />
          )}
          {hidden > 0 && (
            <Button
              look="quiet"
              size="small"
              className="self-center"
              onClick={() => {
                follows.current = false
                setShown(shown + pageTurns)
              }}
            >
              Show {Math.min(hidden, pageTurns)} of {hidden} earlier turns
            </Button>
          )}
          {turns.map((turn) => (
            <TurnBlock key={turn.id} sessionId={session.id} turn={turn} />
          ))}
          {isEmpty && session.turns === 0 && (
            <EmptyState icon={<MessageSquare />} title="Nothing was said yet">
              Write to the agent below. Every hook that decides something on the
              way shows up here.
            </EmptyState>
          )}
          {footer}
        </div>
      </div>
      {isAway && (
        <Button
          size="small"
          icon={<ArrowDown className="size-3.5" />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
          onClick={() => {
            follows.current = true
            toEnd()
          }}
        >
          Latest
        </Button>
      )}
    </div>
  )
}

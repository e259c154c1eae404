import { hrefOf } from '../../around/routes/addresses.ts'
import { Link } from '../../around/routes/link.tsx'
import type { SessionDetail } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { ErrorState } from '../../ui/states.tsx'
import type { Turn } from './conversation/conversation.ts'
import { useEarlier } from './use-earlier.ts'

interface EarlierMessagesProps {
  readonly session: SessionDetail
  /** The first turn that the log still tells of. */
  readonly first: Turn | undefined
}

/** What the log of events no longer has, as the agent itself remembers it. */
export function EarlierMessages({ session, first }: EarlierMessagesProps) {
  const earlier = useEarlier(session.id, first)
  const { messages, hasMore, isBusy, isAsked, error, more } = earlier
  return (
    // Most often the events are only on their way.
    <div className="flex animate-late flex-col gap-4">
      {hasMore && (
        <div className="flex flex-col items-center gap-1 text-xs text-muted">
          {!isAsked && <Words session={session} isAll={first === undefined} />}
          <Button look="quiet" size="small" isBusy={isBusy} onClick={more}>
            Show earlier messages
          </Button>
        </div>
      )}
      {error !== undefined && (
        <ErrorState title="They cannot be read" error={error} />
      )}
      {messages.map(({ key, who, text }) => (
        <div key={key} className="flex gap-3 text-sm">
          <span className="w-16 shrink-0 text-xs leading-5 text-muted">
            {who}
          </span>
          <p className="min-w-0 break-words whitespace-pre-wrap">
            <HostileText text={text} sliceLength={2_000} />
          </p>
        </div>
      ))}
    </div>
  )
}

interface WordsProps {
  readonly session: SessionDetail
  /** Nothing of the session is in the log any more. */
  readonly isAll: boolean
}

function Words({ session, isAll }: WordsProps) {
  return (
    <p>
      {isAll
        ? 'The log of events no longer has this session. '
        : 'The log of events begins here. '}
      <Link
        href={hrefOf('runs', { session: session.id })}
        className="text-accent hover:underline"
      >
        What hooks did
      </Link>{' '}
      is in the records.
    </p>
  )
}

import { useEffect } from 'react'
import type { Approval } from '../../../data/protocol.ts'
import { usePages } from '../../../data/use-pages.ts'
import { HostileText } from '../../../ui/hostile-text.tsx'
import { shortArgs } from './read-shown.ts'

interface LiftedDenialsProps {
  readonly approval: Approval
  /** All of them are there to be read. */
  readonly onKnown: () => void
}

/**
 * What people have denied in the session, and what would run unasked once any
 * call of the tool is allowed in it.
 */
export function LiftedDenials({ approval, onKnown }: LiftedDenialsProps) {
  const { sessionId, tool } = approval
  const pages = usePages('listApprovals', {
    sessionId,
    state: 'answered',
    limit: 100,
  })
  const { items, error, isLoading, hasMore, isLoadingMore, loadMore } = pages
  const isKnown = !isLoading && !hasMore && error === null
  useEffect(() => {
    if (isKnown) onKnown()
    else if (hasMore && !isLoadingMore && error === null) loadMore()
  })
  if (error !== null) {
    return (
      <p role="alert" className="w-full text-xs text-bad">
        What was denied before cannot be read:{' '}
        <HostileText text={error.message} />
      </p>
    )
  }
  const denied = items.filter(
    (one) => one.tool === tool && one.state === 'denied',
  )
  if (!isKnown || denied.length === 0) return null
  return (
    <div className="w-full text-xs">
      <p className="text-caution">
        Denied in this session, and from now on allowed unasked:
      </p>
      <ul
        aria-label="Denials that this lifts"
        className="mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2"
      >
        {denied.map((one) => (
          <li key={one.id}>
            <Denial denial={one} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Denial({ denial }: { readonly denial: Approval }) {
  const { shown, decidedBy = 'somebody', reason } = denial
  return (
    <>
      <span className="block truncate font-mono">
        <HostileText text={shortArgs(shown)} />
      </span>
      <span className="block truncate text-muted">
        denied by <HostileText text={decidedBy} sliceLength={100} />
        {reason !== undefined && ': '}
        {reason !== undefined && (
          <HostileText text={reason} sliceLength={300} />
        )}
      </span>
    </>
  )
}

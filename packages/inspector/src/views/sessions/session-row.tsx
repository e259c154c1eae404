import { hrefOf } from '../../around/routes/addresses.ts'
import type { Session } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Age } from '../../ui/times.tsx'
import { ListRow } from '../list/list-row.tsx'
import { SessionStatus } from './session-status.tsx'

export const sessionRowHeight = 52

interface SessionRowProps {
  readonly session: Session
  readonly isSelected: boolean
  /** There is little room. */
  readonly isShort?: boolean
}

export function SessionRow(props: SessionRowProps) {
  const { session, isSelected, isShort = false } = props
  const { id, agent, cwd, turns, updatedAt, state, parentId, title } = session
  return (
    <ListRow
      href={hrefOf('session', { sessionId: id })}
      isSelected={isSelected}
    >
      <span className="shrink-0 sm:w-24">
        <SessionStatus state={state} isShort />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">
          <HostileText text={title ?? agent} />
        </span>
        <span className="block truncate text-xs text-muted">
          {title !== null && (
            <>
              <HostileText text={agent} />
              {' · '}
            </>
          )}
          <span className="font-mono">
            <HostileText text={id} />
          </span>
          {parentId !== null && (
            <>
              {' works for '}
              <span className="font-mono">
                <HostileText text={parentId} />
              </span>
            </>
          )}
        </span>
      </span>
      {!isShort && (
        <span className="hidden max-w-56 min-w-0 truncate text-xs text-muted lg:block">
          <HostileText text={cwd.split('/').slice(-2).join('/')} />
        </span>
      )}
      <span className="hidden w-20 shrink-0 text-right text-xs text-muted sm:block">
        {turns} {turns === 1 ? 'turn' : 'turns'}
      </span>
      <span className="w-14 shrink-0 text-right text-xs text-muted">
        <Age at={updatedAt} />
      </span>
    </ListRow>
  )
}

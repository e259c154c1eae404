import { Copy, Ellipsis, OctagonX, Shrink } from 'lucide-react'
import { hrefOf } from '../../around/routes/addresses.ts'
import { useDaemon } from '../../data/daemon-context.ts'
import type { SessionDetail } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Crumb } from '../crumb.tsx'
import { SessionStatus } from '../sessions/session-status.tsx'

interface SessionProps {
  readonly session: SessionDetail
}

export function SessionHeading({ session }: SessionProps) {
  const { id, agent, state } = session
  return (
    <>
      <Crumb href={hrefOf('sessions')} isWide>
        Sessions
      </Crumb>
      <span className="truncate">
        <HostileText text={agent} />
      </span>
      <span className="hidden truncate font-mono text-xs font-normal text-muted lg:inline">
        <HostileText text={id} />
      </span>
      <span className="ml-1 font-normal">
        <SessionStatus state={state} />
      </span>
    </>
  )
}

/** What can be done with a session that is not said in words. */
export function SessionMenu({ session }: SessionProps) {
  const { client } = useDaemon()
  const { id: sessionId, state } = session
  const isOver = state === 'ended'
  const isBusy = state === 'running' || state === 'waiting'
  // What comes of it is told by the events of the session.
  const tell = (done: Promise<unknown>) => void done.catch(() => undefined)
  return (
    <Menu
      items={[
        {
          label: 'Copy link',
          icon: <Copy />,
          run: () => tell(navigator.clipboard.writeText(window.location.href)),
        },
        {
          label: 'Compact',
          icon: <Shrink />,
          isDisabled: isOver || isBusy,
          run: () => tell(client.compact({ sessionId })),
        },
        {
          label: 'End session',
          icon: <OctagonX />,
          isDangerous: true,
          isDisabled: isOver,
          run: () => tell(client.closeSession({ sessionId })),
        },
      ]}
    >
      <IconButton label="More" icon={<Ellipsis />} />
    </Menu>
  )
}

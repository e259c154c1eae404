import type { ConnectionState } from '../../data/connection.ts'
import { useAnswer, useConnection } from '../../data/daemon-context.ts'
import { Status } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

const words: Readonly<Record<ConnectionState, readonly [Tone, string]>> = {
  connecting: ['neutral', 'Connecting'],
  connected: ['good', 'Connected'],
  reconnecting: ['caution', 'Reconnecting'],
  crowded: ['caution', 'Not live'],
}

/** Whether what is shown is what happens, and where. */
export function ConnectionNote() {
  const { state } = useConnection()
  const { data: info } = useAnswer('info', {})
  const [tone, text] = words[state]
  const project = info?.root.split('/').at(-1)
  return (
    <Tooltip
      side="right"
      text={
        info === undefined
          ? text
          : `${info.root} · ${info.store} · version ${info.version} · you are ${info.caller.id}`
      }
    >
      <button
        type="button"
        className="flex h-8 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
      >
        <span role="status">
          <Status tone={tone} isLive={state === 'reconnecting'}>
            {text}
          </Status>
        </span>
        {project !== undefined && (
          <span className="min-w-0 flex-1 truncate text-right text-xs text-faint">
            {project}
          </span>
        )}
      </button>
    </Tooltip>
  )
}

const troubles: Partial<Record<ConnectionState, string>> = {
  reconnecting:
    'The daemon cannot be reached. What you see is how it was; this page comes back by itself.',
  crowded:
    'This page does not see what happens: too many others follow it already. Close tabs of other logins; what you see is how it was when it was loaded.',
}

/** Across the top while the daemon is away. What is shown stays, as it was. */
export function DisconnectedBanner() {
  const { state } = useConnection()
  const text = troubles[state]
  if (text === undefined) return null
  return (
    <p
      role="alert"
      className="shrink-0 bg-caution-soft px-4 py-1.5 text-center text-xs text-caution"
    >
      {text}
    </p>
  )
}

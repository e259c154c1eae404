import type { SessionState } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/tone.ts'

const looks: Readonly<Record<SessionState, readonly [Tone, string]>> = {
  running: ['noted', 'Running'],
  waiting: ['caution', 'Waiting'],
  idle: ['neutral', 'Idle'],
  interrupted: ['caution', 'Interrupted'],
  elsewhere: ['neutral', 'Elsewhere'],
  ended: ['neutral', 'Ended'],
}

/** What a list of sessions can be asked for. */
export const stateFilters = [
  { value: '', label: 'Any state' },
  ...Object.entries(looks).map(([value, [, label]]) => ({ value, label })),
]

export function isSessionState(
  value: string | undefined,
): value is SessionState {
  return value !== undefined && Object.hasOwn(looks, value)
}

interface SessionStatusProps {
  readonly state: SessionState
  readonly isShort?: boolean
}

/** What a session does now. */
export function SessionStatus({ state, isShort = false }: SessionStatusProps) {
  const [tone, text] = looks[state]
  const isLive = state === 'running' || state === 'waiting'
  return (
    <Status tone={tone} isLive={isLive} isShort={isShort}>
      {text}
    </Status>
  )
}

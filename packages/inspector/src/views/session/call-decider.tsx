import { useAnswer } from '../../data/daemon-context.ts'
import { endOfCall } from '../../data/protocol.ts'
import { HostileText } from '../../ui/hostile-text.tsx'

interface CallDeciderProps {
  readonly sessionId: string
  readonly turnId: string
  readonly callId: string
}

/** Who had the last word about a call. */
export function CallDecider(props: CallDeciderProps) {
  const { data } = useAnswer('whyCall', props)
  if (data?.decidedBy === undefined) return null
  return (
    <p className="text-xs text-muted">
      It <HostileText text={endOfCall(data).words} />.
    </p>
  )
}

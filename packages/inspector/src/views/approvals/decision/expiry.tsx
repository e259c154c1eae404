import { classNames } from '../../../ui/class-names.ts'
import { durationText, useNow } from '../../../ui/times.tsx'

/** Below this it is time to look. */
const soonMs = 5 * 60_000

interface ExpiryProps {
  readonly at: number
  readonly className?: string
}

/** How long something can still be answered, counting down. */
export function Expiry({ at, className }: ExpiryProps) {
  const left = at - useNow(1_000)
  const isSoon = left < soonMs
  return (
    <span
      className={classNames(
        'text-xs whitespace-nowrap',
        isSoon ? 'text-caution' : 'text-muted',
        className,
      )}
    >
      {left > 0 ? `Expires in ${leftText(left)}` : 'Expired'}
    </span>
  )
}

function leftText(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1_000)} s` : durationText(ms)
}

import type { Run } from '../../data/protocol.ts'
import { classNames } from '../../ui/class-names.ts'
import { durationText, preciseDuration } from '../../ui/times.tsx'

interface DeadlineBarProps {
  readonly run: Pick<Run, 'latencyMs' | 'deadlineMs' | 'state'>
}

/** How much of its time a run took. */
export function DeadlineBar({ run }: DeadlineBarProps) {
  const { latencyMs, deadlineMs, state } = run
  if (latencyMs === undefined) {
    return state === 'started' ? 'It runs.' : 'Nobody knows how long it took.'
  }
  if (deadlineMs === undefined) {
    return `${preciseDuration(latencyMs)}, without a deadline`
  }
  const share = Math.min(1, latencyMs / deadlineMs)
  const isOver = state === 'timed_out' || share >= 1
  const isNear = share >= 0.8
  return (
    <>
      <span className="tabular-nums">
        {preciseDuration(latencyMs)}{' '}
        <span className="text-muted">of {durationText(deadlineMs)}</span>
      </span>
      <span
        aria-hidden="true"
        className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-active"
      >
        <span
          className={classNames(
            'block h-full min-w-1 rounded-full',
            isOver ? 'bg-bad' : isNear ? 'bg-caution-mark' : 'bg-accent',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </>
  )
}

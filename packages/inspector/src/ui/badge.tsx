import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { type Tone, toneDot, toneSoft } from './tone.ts'

interface BadgeProps {
  readonly tone?: Tone
  readonly children: ReactNode
  readonly className?: string
}

/** A word about something, in the colour of what it means. */
export function Badge({ tone = 'neutral', children, className }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-2xs font-medium whitespace-nowrap',
        toneSoft[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

interface StatusProps {
  readonly tone: Tone
  readonly isLive?: boolean
  /** On phones only the point is drawn. */
  readonly isShort?: boolean
  readonly children: ReactNode
}

/** A state: a point in its colour, and its name, as colour alone says nothing. */
export function Status(props: StatusProps) {
  const { tone, isLive = false, isShort = false, children } = props
  return (
    <span className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-muted">
      <span
        aria-hidden="true"
        className={classNames(
          'size-2 rounded-full',
          toneDot[tone],
          isLive && 'animate-pulse-soft',
        )}
      />
      <span className={classNames(isShort && 'max-sm:sr-only')}>
        {children}
      </span>
    </span>
  )
}

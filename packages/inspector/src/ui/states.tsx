import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { HostileText } from './hostile-text.tsx'

interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
}

/** There is nothing: it says what would be here, and how it comes to be. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center justify-center gap-1 px-6 py-16 text-center">
      {icon !== undefined && (
        <span className="mb-2 text-faint [&_svg]:size-6">{icon}</span>
      )}
      <p className="text-sm font-medium">{title}</p>
      {children !== undefined && (
        <div className="max-w-sm text-sm text-muted">{children}</div>
      )}
    </div>
  )
}

interface ErrorStateProps {
  readonly title: string
  readonly error: Error
  readonly onRetry?: () => void
}

/** It did not work: what, why, and once more. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="flex flex-col items-center justify-center gap-1 px-6 py-16 text-center"
    >
      <CircleAlert aria-hidden="true" className="mb-2 size-6 text-bad" />
      <p className="text-sm font-medium">{title}</p>
      <div className="max-w-md text-sm text-muted">
        <HostileText text={error.message} />
      </div>
      {onRetry !== undefined && (
        <Button
          className="mt-3"
          size="small"
          icon={<RotateCw className="size-3.5" />}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </div>
  )
}

interface LoadingRowsProps {
  readonly count?: number
  readonly label: string
}

/** Something takes longer than a blink: rows without words, as calm as can be. */
export function LoadingRows({ count = 8, label }: LoadingRowsProps) {
  return (
    <div
      role="status"
      aria-label={label}
      className="flex animate-late flex-col"
    >
      {Array.from({ length: count }, (_, row) => (
        <div
          // They are all alike, and never move.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          key={row}
          className="flex h-12 items-center gap-4 border-b border-line px-4"
        >
          <span className="h-3 w-40 animate-pulse-soft rounded-sm bg-active" />
          <span className="h-3 flex-1 animate-pulse-soft rounded-sm bg-hover" />
          <span className="h-3 w-16 animate-pulse-soft rounded-sm bg-hover" />
        </div>
      ))}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { ButtonProps } from './button.tsx'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  /** What it does: for screen readers, and for whoever points at it. */
  readonly label: string
  readonly icon: ReactNode
}

export function IconButton({
  label,
  icon,
  className,
  look = 'quiet',
  size: _,
  isBusy: __,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={classNames(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-md transition-colors hover:bg-hover disabled:opacity-50 [&_svg]:size-4',
          look === 'danger' ? 'text-bad' : 'text-muted hover:text-ink',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  )
}

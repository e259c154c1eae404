import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'small' | 'medium'
  /** It is being done: it cannot be pressed, and says so. */
  readonly isBusy?: boolean
  readonly icon?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

const looks = {
  primary:
    'bg-accent text-accent-ink enabled:hover:bg-accent-hover border border-transparent disabled:bg-active disabled:text-muted disabled:opacity-100',
  plain: 'bg-raised text-ink border border-line-strong hover:bg-hover',
  quiet:
    'bg-transparent text-muted border border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-raised text-bad border border-line-strong hover:bg-bad-soft',
}

const sizes = {
  small: 'h-7 px-2.5 text-xs gap-1.5',
  medium: 'h-8 px-3 text-sm gap-2',
}

export function Button({
  look = 'plain',
  size = 'medium',
  isBusy = false,
  icon,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      disabled={disabled === true || isBusy}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:opacity-50',
        looks[look],
        sizes[size],
        className,
      )}
      {...rest}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  )
}

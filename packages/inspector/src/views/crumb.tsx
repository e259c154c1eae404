import type { ReactNode } from 'react'
import { Link } from '../around/routes/link.tsx'
import { classNames } from '../ui/class-names.ts'

interface CrumbProps {
  readonly href: string
  readonly children: ReactNode
  /** Where there is little room it is left out. */
  readonly isWide?: boolean
}

/** Where something belongs, before its own name in a heading. */
export function Crumb({ href, children, isWide = false }: CrumbProps) {
  const when = isWide && 'hidden sm:inline'
  return (
    <>
      <Link
        href={href}
        className={classNames(
          'min-w-0 truncate font-normal text-muted hover:text-ink',
          when,
        )}
      >
        {children}
      </Link>
      <span aria-hidden="true" className={classNames('text-faint', when)}>
        /
      </span>
    </>
  )
}

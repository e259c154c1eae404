import type { ReactNode } from 'react'
import { Link } from '../../around/routes/link.tsx'
import { classNames } from '../../ui/class-names.ts'

interface ListRowProps {
  readonly href: string
  readonly isSelected: boolean
  readonly children: ReactNode
}

/** A row of a list of pages, which leads to what it is about. */
export function ListRow({ href, isSelected, children }: ListRowProps) {
  return (
    <Link
      href={href}
      aria-current={isSelected ? 'true' : undefined}
      className={classNames(
        'flex h-full items-center gap-4 border-b border-line px-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2',
        isSelected && 'bg-hover shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      {children}
    </Link>
  )
}

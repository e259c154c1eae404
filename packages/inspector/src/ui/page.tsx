import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface PageProps {
  /** Drawn as the heading of the page. */
  readonly title: ReactNode
  /** What is in the title of the browser. */
  readonly name: string
  readonly actions?: ReactNode
  /** Filters, below the heading. */
  readonly toolbar?: ReactNode
  readonly children: ReactNode
}

/** What every view is made of: a heading that stays, and what scrolls below. */
export function Page({ title, name, actions, toolbar, children }: PageProps) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <title>{`${name} · Hookline`}</title>
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line pr-3 pl-4">
        <h1 className="flex min-w-0 flex-1 items-center gap-2 text-sm font-semibold">
          {title}
        </h1>
        {actions}
      </header>
      {toolbar !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          {toolbar}
        </div>
      )}
      {children}
    </div>
  )
}

interface ScrollProps {
  readonly children: ReactNode
  readonly className?: string
}

/** The part of a view that scrolls. */
export function Scroll({ children, className }: ScrollProps) {
  return (
    <div className={classNames('min-h-0 flex-1 overflow-y-auto', className)}>
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  /** At the end of its heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <header className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-semibold">{title}</h2>
        <span className="text-xs text-muted">{aside}</span>
      </header>
      {children}
    </section>
  )
}

interface FactProps {
  readonly name: string
  /** Nothing is drawn where there is none. */
  readonly children: ReactNode
}

/** Something short that is known; in a `dl`. */
export function Fact({ name, children }: FactProps) {
  if (children === undefined || children === '') return null
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="min-w-0 text-sm break-words">{children}</dd>
    </div>
  )
}

import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { type Tone, toneText } from '../../ui/tone.ts'

interface FigureProps {
  readonly label: string
  readonly text: string
  readonly tone?: Tone
}

/** One number, and what it counts. */
export function Figure({ label, text, tone = 'neutral' }: FigureProps) {
  return (
    <div className="flex min-w-36 flex-col-reverse">
      <dt className="text-xs text-muted">{label}</dt>
      <dd
        className={classNames(
          'text-xl font-semibold tabular-nums',
          tone === 'neutral' ? 'text-ink' : toneText[tone],
        )}
      >
        {text}
      </dd>
    </div>
  )
}

export function FigureRow({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:flex-wrap">
      {children}
    </dl>
  )
}

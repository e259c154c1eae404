import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'

const setting = 'store: { content: { runs: redacted } }'

interface NotKeptProps {
  /** What is not there: the beginning of a sentence. */
  readonly what: string
}

/** It happened, and nobody wrote it down; says how it is, from now on. */
export function NotKept({ what }: NotKeptProps) {
  return (
    <Missing>
      {what} is not kept. With <Setting>{setting}</Setting> in the configuration
      it is, without secrets, for runs from then on.
    </Missing>
  )
}

/** It was kept, and is there no longer, or cannot be read. */
export function Gone({ what }: NotKeptProps) {
  return (
    <Missing>
      {what} is no longer there: what has to be exact was removed as{' '}
      <Setting>store.retentionDays.payloads</Setting> says, or the key that it
      was encrypted with is missing.
    </Missing>
  )
}

function Missing({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex items-start gap-2.5 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm text-muted">
      <EyeOff
        aria-hidden="true"
        className="mt-0.5 size-4 shrink-0 text-faint"
      />
      <p className="min-w-0">{children}</p>
    </div>
  )
}

function Setting({ children }: { readonly children: string }) {
  return (
    <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-xs break-words text-ink">
      {children}
    </code>
  )
}

import { ChevronRight } from 'lucide-react'
import type { Hook } from '../../data/protocol.ts'
import { classNames } from '../../ui/class-names.ts'
import { HostileText } from '../../ui/hostile-text.tsx'

/** Hooks of a point in their order; those that are off come last, crossed out. */
export function HookChips({ hooks }: { readonly hooks: readonly Hook[] }) {
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1 gap-y-1.5">
      {hooks.map(({ name, isEnabled, mode, order }, at) => (
        <span key={name} className="inline-flex min-w-0 items-center gap-1">
          {at > 0 && order !== undefined && (
            <ChevronRight aria-hidden="true" className="size-3 text-faint" />
          )}
          <span
            className={classNames(
              'max-w-60 truncate rounded-sm border px-1.5 py-0.5 text-xs',
              isEnabled ? 'border-line-strong' : 'border-dashed border-line',
              !isEnabled && 'text-muted line-through',
              isEnabled && mode === 'evaluate' && 'text-noted',
            )}
          >
            <HostileText text={name} />
            {!isEnabled && <span className="sr-only"> (off)</span>}
            {isEnabled && mode === 'evaluate' && ' · evaluate'}
          </span>
        </span>
      ))}
    </span>
  )
}

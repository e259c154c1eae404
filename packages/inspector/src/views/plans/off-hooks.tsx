import type { Hook } from '../../data/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import type { HookChange } from './preview-dialog.tsx'
import { sourceText } from './source-text.ts'

interface OffHooksProps {
  readonly hooks: readonly Hook[]
  readonly onChange: (change: HookChange) => void
}

/** What does not run here, and why. */
export function OffHooks({ hooks, onChange }: OffHooksProps) {
  return (
    <section className="mt-8 max-w-3xl">
      <h2 className="mb-1 text-xs font-medium text-muted">Off</h2>
      <ul className="flex flex-col">
        {hooks.map((hook) => (
          <li
            key={hook.name}
            className="flex items-center gap-4 border-b border-line py-2"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm">
                <HostileText text={hook.name} />
              </span>
              <span className="block text-xs break-words text-muted">
                Off by: <HostileText text={hook.disabledBy ?? 'unknown'} />
              </span>
              <span className="block truncate font-mono text-2xs text-faint">
                <HostileText text={sourceText(hook)} />
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Turn ${hook.name} on`}
              onClick={() => onChange({ name: hook.name, isEnabled: true })}
            >
              Turn on…
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

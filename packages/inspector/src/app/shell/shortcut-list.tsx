import {
  listShortcuts,
  type Shortcut,
} from '../../around/keyboard/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Keys } from '../../ui/keys.tsx'

interface ShortcutListProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const groups: readonly Shortcut['group'][] = [
  'Everywhere',
  'Go to',
  'Lists',
  'This view',
]

/** Every key that does something here. */
export function ShortcutList({ isOpen, onClose }: ShortcutListProps) {
  const shortcuts = isOpen ? listShortcuts() : []
  return (
    <Dialog title="Keyboard" isOpen={isOpen} onClose={onClose}>
      <div className="gap-x-10 overflow-y-auto px-4 pt-4 sm:columns-2">
        {groups.map((group) => {
          const ours = shortcuts.filter((one) => one.group === group)
          if (ours.length === 0) return null
          return (
            <section key={group} className="break-inside-avoid pb-4">
              <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
              <dl>
                {[...Map.groupBy(ours, ({ about }) => about)].map(
                  ([about, same]) => (
                    <div
                      key={about}
                      className="flex min-h-8 items-center justify-between gap-4 text-sm"
                    >
                      <dt>{about}</dt>
                      <dd className="flex shrink-0 items-center gap-1.5">
                        {same.map(({ keys }, at) => (
                          <span key={keys} className="contents">
                            {at > 0 && (
                              <span className="text-2xs text-muted">or</span>
                            )}
                            <Keys keys={keys} />
                          </span>
                        ))}
                      </dd>
                    </div>
                  ),
                )}
              </dl>
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}

import { useState } from 'react'
import { useShortcuts } from '../../around/keyboard/shortcuts.ts'

interface ListActions {
  readonly open: (id: string) => void
  readonly search: () => void
}

/**
 * Which row the keyboard is at: j and k move it, Enter opens it. It stays with
 * its row as others come.
 */
export function useListSelection(
  items: readonly { readonly id: string }[],
  { open, search }: ListActions,
): number {
  const [id, setId] = useState<string>()
  const selected = items.findIndex((one) => one.id === id)
  const move = (step: number) => {
    const next = Math.max(0, Math.min(items.length - 1, selected + step))
    setId(items[next]?.id)
  }
  useShortcuts([
    { keys: 'j', about: 'Next', group: 'Lists', run: () => move(1) },
    { keys: 'k', about: 'Previous', group: 'Lists', run: () => move(-1) },
    {
      keys: 'Enter',
      about: 'Open',
      group: 'Lists',
      run: () => {
        if (id !== undefined && selected >= 0) open(id)
      },
    },
    { keys: '/', about: 'Filter', group: 'Lists', run: search },
  ])
  return selected
}

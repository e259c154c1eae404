import { useShortcuts } from '../../around/keyboard/shortcuts.ts'
import type { Waiting } from './waiting.ts'

interface ListKeys {
  readonly waiting: readonly Waiting[]
  readonly selected: string | undefined
  readonly show: (one: Waiting) => void
}

/** j and k go through what waits; Enter goes to what can be answered. */
export function useListKeys({ waiting, selected, show }: ListKeys): void {
  const at = waiting.findIndex(({ key }) => key === selected)
  const move = (step: number) => {
    const next = waiting[Math.max(0, Math.min(waiting.length - 1, at + step))]
    if (next !== undefined) show(next)
  }
  useShortcuts([
    { keys: 'j', about: 'Next', group: 'Lists', run: () => move(1) },
    { keys: 'k', about: 'Previous', group: 'Lists', run: () => move(-1) },
    {
      keys: 'Enter',
      about: 'Go to the answer',
      group: 'Lists',
      run: () => {
        const { activeElement } = document
        const isPressed =
          activeElement instanceof HTMLElement &&
          activeElement.matches('a, button, summary')
        // What has the focus is what Enter is for.
        if (isPressed) activeElement.click()
        else document.querySelector<HTMLElement>('[data-waits]')?.focus()
      },
    },
  ])
}

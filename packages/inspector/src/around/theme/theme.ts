import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const key = 'hookline-theme'
const listeners = new Set<() => void>()
const darkSystem = window.matchMedia('(prefers-color-scheme: dark)')

function readChoice(): ThemeChoice {
  const kept = window.localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

let choice = readChoice()

function show(): void {
  const isDark =
    choice === 'dark' || (choice === 'system' && darkSystem.matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  for (const listener of [...listeners]) listener()
}

/** Before anything is drawn, and whenever the system changes its mind. */
export function startTheme(): void {
  darkSystem.addEventListener('change', show)
  show()
}

export function setTheme(next: ThemeChoice): void {
  choice = next
  window.localStorage.setItem(key, next)
  show()
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => choice,
  )
}

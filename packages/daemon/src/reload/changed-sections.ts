import type { Settings } from './settings.ts'

/** What is read once, when the daemon starts. */
const readOnce = ['plugins', 'store', 'daemon'] as const

/** Which of that files say something else about by now. */
export function changedSections(
  started: Settings,
  now: Settings,
): readonly string[] {
  return readOnce.filter(
    (name) => JSON.stringify(started[name]) !== JSON.stringify(now[name]),
  )
}

import type { Settings } from './settings.ts'

/** Which of that files say something else about by now, and is read once. */
export function changedSections(
  started: Settings,
  now: Settings,
): readonly string[] {
  const before = readOnce(started)
  const after = readOnce(now)
  return Object.keys(before).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
}

/** What counts from the next start: all of it but what is followed. */
function readOnce(settings: Settings): Record<string, unknown> {
  const { plugins, store, daemon } = settings
  const { principals: _, logLevel: __, graceMs: ___, ...atStart } = daemon
  return { plugins, store, daemon: atStart }
}

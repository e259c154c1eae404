import type { LoadedConfig } from '@hookline/agent/config'
import { isUse } from '@hookline/agent/handlers'
import type { Hook } from 'hookline'
import type { RunningHooks } from './running-hooks.ts'

/** Whose code can end, or hold up, the process or the machine that it is on. */
const kinds: ReadonlySet<string | undefined> = new Set(['command', 'module'])

/** Hooks of which it is known whether they run. */
export function noteRunning(
  hooks: readonly Hook[],
  running: RunningHooks,
  own: ReadonlySet<string>,
): readonly Hook[] {
  return hooks.map((hook) => {
    if (!kinds.has(hook.handler?.kind)) return hook
    const about = { name: hook.name, isOwn: own.has(hook.name) }
    return {
      ...hook,
      run: (input, context) =>
        running.during(about, () => hook.run(input, context)),
    }
  })
}

/** Those that run in our own process, by their names. */
export function ownHooks({
  hooks,
}: Pick<LoadedConfig, 'hooks'>): ReadonlySet<string> {
  const found = hooks.filter(({ definition }) => {
    if (isUse(definition)) return false
    const { handler } = definition
    return handler.type === 'module' && handler.isolation === 'process-wide'
  })
  return new Set(found.map(({ name }) => name))
}

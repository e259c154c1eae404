import type { Hook } from 'hookline'
import {
  type HookCrashes,
  isQuarantined,
  quarantineHook,
} from '../quarantine/quarantine.ts'
import { denyingGate, isGate } from './denying-gates.ts'
import type { SwitchedHook, SwitchesState } from './hook-switches.ts'

interface Arranged {
  readonly hooks: readonly Hook[]
  readonly managed: ReadonlySet<string>
}

/** What runs of all hooks, as they are switched. */
export function arrangeHooks(
  { hooks, managed }: Arranged,
  { hooks: switched, allOff, crashes = [] }: SwitchesState,
): readonly Hook[] {
  if (allOff !== undefined) {
    const reason = `All hooks are switched off by ${allOff.by}, and a managed gate then denies; wait, or have them switched on again.`
    return hooks
      .filter((hook) => managed.has(hook.name) && isGate(hook))
      .map((hook) => denyingGate(hook, reason))
  }
  const byName = new Map(switched.map((one) => [one.name, one]))
  return quarantined(hooks, crashes).map((hook) => {
    const one = byName.get(hook.name)
    if (one === undefined) return hook
    return switchHook(hook, one, managed.has(hook.name))
  })
}

function quarantined(
  hooks: readonly Hook[],
  crashes: readonly HookCrashes[],
): readonly Hook[] {
  const held = crashes.filter(isQuarantined)
  if (held.length === 0) return hooks
  return hooks.map((hook) => {
    const own = held.find(({ name }) => name === hook.name)
    return own === undefined ? hook : quarantineHook(hook, own)
  })
}

/** A hook that has become managed since is as it is written, or stricter. */
function switchHook(
  hook: Hook,
  { isEnabled, mode }: SwitchedHook,
  isManaged: boolean,
): Hook {
  const isOff = isEnabled === false && !isManaged
  const isOtherMode = mode !== undefined && !(isManaged && mode === 'evaluate')
  if (!isOff && !isOtherMode) return hook
  return {
    ...hook,
    ...(isOff && { disabled: true }),
    ...(isOtherMode && { mode }),
    run: (input, context) => hook.run(input, context),
  }
}

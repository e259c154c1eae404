import type { HookSwitch } from './hook-switches.ts'
import { SwitchError } from './switch-error.ts'

const maxSwitches = 500

export interface SwitchPlace {
  readonly isKnown: boolean
  readonly isManaged: boolean
  /** It is switched already. */
  readonly isSwitched: boolean
  /** How many are. */
  readonly count: number
  readonly now: number
}

/** Throws where somebody must not, or cannot, switch a hook so. */
export function checkSwitch(
  { name, isEnabled, mode, until }: HookSwitch,
  { isKnown, isManaged, isSwitched, count, now }: SwitchPlace,
): void {
  if (!isKnown) {
    const message = `There is no hook "${name}" that could be switched; one that a file disables is switched there.`
    throw new SwitchError('unknown-hook', message)
  }
  if (isManaged && (isEnabled === false || mode === 'evaluate')) {
    const message = `The hook "${name}" is managed; nobody can switch it off here.`
    throw new SwitchError('managed-hook', message)
  }
  if (until !== undefined) checkUntil(until, now)
  if (!isSwitched && count >= maxSwitches) {
    const message = `More than ${maxSwitches} hooks cannot be switched by hand; write the rest into a file.`
    throw new SwitchError('too-many-switches', message)
  }
}

export function checkUntil(until: number, now: number): void {
  if (Number.isFinite(until) && until > now) return
  const message =
    'The time until which hooks are switched has passed, or is none; name a later one.'
  throw new SwitchError('invalid-switch', message)
}

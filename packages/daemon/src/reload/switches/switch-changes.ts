import {
  type HookCrashes,
  withCrash,
  withoutOld,
} from '../quarantine/quarantine.ts'
import type { LeftHooks } from '../quarantine/running-hooks.ts'
import type { AllOff, SwitchedHook, SwitchesState } from './hook-switches.ts'

/** One change, which can be made again on top of what others have changed. */
export type SwitchChange = (state: SwitchesState) => SwitchesState

export const noSwitches: SwitchesState = Object.freeze({ hooks: [] })

export function withHook(hook: SwitchedHook): SwitchChange {
  return ({ hooks, ...rest }) => {
    const others = hooks.filter(({ name }) => name !== hook.name)
    const isAsWritten = hook.isEnabled === undefined && hook.mode === undefined
    return { ...rest, hooks: isAsWritten ? others : [...others, hook] }
  }
}

export function withAllOff(allOff: AllOff | undefined): SwitchChange {
  return ({ allOff: _, ...rest }) => {
    return allOff === undefined ? rest : { ...rest, allOff }
  }
}

/** A process died, and these ran in it. */
export function withCrashes(
  { names, stalled }: LeftHooks,
  at: number,
): SwitchChange {
  return ({ crashes = [], ...rest }) => ({
    ...rest,
    crashes: names.reduce(
      (all, name) =>
        withCrash(all, { name, at, isStalled: stalled.includes(name) }),
      crashes,
    ),
  })
}

/** Nothing is held against it any more. */
export function withoutCrashes(name: string): SwitchChange {
  return ({ crashes = [], ...rest }) => {
    const others = crashes.filter((one) => one.name !== name)
    return others.length === 0 ? rest : { ...rest, crashes: others }
  }
}

/** Without what has come to its end. */
export function withoutEnded(now: number): SwitchChange {
  return ({ hooks, allOff, crashes = [] }) => {
    const recent = withoutOld(crashes, now)
    return {
      hooks: hooks.filter(({ until = Infinity }) => until > now),
      ...(allOff !== undefined && allOff.until > now && { allOff }),
      ...(recent.length > 0 && { crashes: recent }),
    }
  }
}

/** When the next one comes to its end. */
export function nextEnd({ hooks, allOff }: SwitchesState): number {
  const ends = hooks.map(({ until = Infinity }) => until)
  return Math.min(...ends, allOff?.until ?? Infinity)
}

/** What is kept, as far as it can be read; what cannot is as it was written. */
export function readSwitches(value: unknown): SwitchesState {
  if (!isRecord(value)) return noSwitches
  const { hooks, allOff, crashes } = value
  return {
    hooks: Array.isArray(hooks) ? hooks.filter(isSwitchedHook) : [],
    ...(isAllOff(allOff) && { allOff }),
    ...(Array.isArray(crashes) && { crashes: crashes.filter(isCrashes) }),
  }
}

function isCrashes(value: unknown): value is HookCrashes {
  if (!isRecord(value)) return false
  const { name, at, isStalled } = value
  return (
    typeof name === 'string' &&
    Array.isArray(at) &&
    at.every(Number.isFinite) &&
    (isStalled === undefined || typeof isStalled === 'boolean')
  )
}

function isSwitchedHook(value: unknown): value is SwitchedHook {
  if (!isRecord(value) || !isSigned(value)) return false
  const { name, isEnabled, mode, until } = value
  return (
    typeof name === 'string' &&
    (isEnabled === undefined || typeof isEnabled === 'boolean') &&
    (mode === undefined || mode === 'enforce' || mode === 'evaluate') &&
    (until === undefined || Number.isFinite(until))
  )
}

function isAllOff(value: unknown): value is AllOff {
  return isRecord(value) && isSigned(value) && Number.isFinite(value['until'])
}

function isSigned({ by, at, reason }: Readonly<Record<string, unknown>>) {
  const isReason = reason === undefined || typeof reason === 'string'
  return typeof by === 'string' && Number.isFinite(at) && isReason
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Several as one, so that all of them hold or none does. */
export function oneAfterAnother(
  changes: readonly SwitchChange[],
): SwitchChange {
  return (state) => changes.reduce((before, change) => change(before), state)
}

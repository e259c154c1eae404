import type { HookSwitch, SwitchedHook } from './hook-switches.ts'

const maxReasonChars = 1_000

export function shortened(reason: string): string {
  return reason.toWellFormed().slice(0, maxReasonChars)
}

/** How a hook is after a change, with what holds of how it was. */
export function switchedHook(
  change: HookSwitch,
  before: SwitchedHook | undefined,
  signed: Pick<SwitchedHook, 'by' | 'at'>,
): SwitchedHook {
  const { name } = change
  // Another mode does not make a hook that is off for a while so for good.
  const kept = change.isEnabled === undefined ? before : undefined
  const { until = kept?.until, reason = kept?.reason } = change
  const isEnabled = change.isEnabled ?? before?.isEnabled
  const mode = change.mode ?? before?.mode
  return {
    name,
    ...signed,
    ...(isEnabled === false && { isEnabled }),
    ...(mode !== undefined && { mode }),
    ...(until !== undefined && { until }),
    ...(reason !== undefined && { reason: shortened(reason) }),
  }
}

import type { HookRecord, StartedRun } from 'hookline'

/** One hook runs once in a dispatch, however often it is tried. */
export function runIdOf({
  dispatch,
  hook,
}: Pick<HookRecord, 'dispatch' | 'hook'>): string {
  return `${dispatch}/${hook}`
}

/** A run that has begun, with as much as is known of it by then. */
export type RunStart = StartedRun &
  Partial<
    Pick<HookRecord, 'inside' | 'handler' | 'visibility' | 'mode' | 'attempt'>
  >

/** A run that has ended, with as much as is known of it. */
export type RunEnd = Partial<HookRecord> &
  Pick<
    HookRecord,
    'dispatch' | 'point' | 'hook' | 'scope' | 'attempt' | 'state' | 'startedAt'
  >

import { type Hook, reject } from 'hookline'
import { isGate } from '../switches/denying-gates.ts'

/** When processes ended without a word while a hook ran; the newest last. */
export interface HookCrashes {
  readonly name: string
  readonly at: readonly number[]
  /** It held up the process until that was ended: once is enough. */
  readonly isStalled?: boolean | undefined
}

/** So many make a pattern of it. */
const maxCrashes = 3
/** And so long are they held against a hook. */
const crashSpanMs = 86_400_000

export function isQuarantined({ at, isStalled }: HookCrashes): boolean {
  return isStalled === true || at.length >= maxCrashes
}

export function quarantineWords(crashes: HookCrashes): string {
  const { name, at, isStalled } = crashes
  const last = new Date(at.at(-1) ?? 0).toISOString()
  const why = isStalled
    ? `it held up the daemon until that was ended, at ${last}`
    : `the daemon died ${at.length} times while it ran, the last time at ${last}`
  return `quarantine: ${why}; mend it, then "hookline hooks enable ${name}"`
}

/** One more, with those that still count. */
export function withCrash(
  crashes: readonly HookCrashes[],
  { name, at, isStalled }: { name: string; at: number; isStalled: boolean },
): readonly HookCrashes[] {
  const before = crashes.find((one) => one.name === name)
  const next: HookCrashes = {
    name,
    at: [...(before?.at ?? []), at].slice(-maxCrashes),
    ...((isStalled || before?.isStalled) && { isStalled: true }),
  }
  return [...crashes.filter((one) => one !== before), next]
}

/** What is too old to make a pattern of is forgotten; a quarantine is not. */
export function withoutOld(
  crashes: readonly HookCrashes[],
  now: number,
): readonly HookCrashes[] {
  return crashes
    .map((one) => {
      if (isQuarantined(one)) return one
      return { ...one, at: one.at.filter((at) => at > now - crashSpanMs) }
    })
    .filter(({ at }) => at.length > 0)
}

/**
 * In place of a hook that is not to run: a gate that fails closed denies, and
 * of any other its failure policy says what follows.
 */
export function quarantineHook(hook: Hook, crashes: HookCrashes): Hook {
  const reason = `Hook "${hook.name}" is in ${quarantineWords(crashes)}.`
  const denies =
    isGate(hook) && (hook.onFailure ?? hook.on.failure) === 'closed'
  return {
    ...hook,
    run(_, context) {
      if (denies) return reject(reason)
      context.diagnose('quarantined', reason)
      throw new Error(reason)
    },
  }
}

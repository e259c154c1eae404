import type { PlannedHook } from './ask-one.ts'

/** Of hooks that are the same, the first of those that have the most time. */
export function withoutDoubles(
  planned: readonly PlannedHook[],
): readonly PlannedHook[] {
  return planned.filter((one, at) => {
    const same = planned.filter((other) => isDouble(other, [one]))
    const before = new Set(planned.slice(0, at))
    return !same.some((other) =>
      before.has(other)
        ? other.timeoutMs >= one.timeoutMs
        : other.timeoutMs > one.timeoutMs,
    )
  })
}

/** That one of those that are the same as this one which has the most time. */
export function withMostTime(
  one: PlannedHook,
  planned: readonly PlannedHook[],
): PlannedHook {
  return planned
    .filter((other) => isDouble(other, [one]))
    .reduce((most, other) => {
      return other.timeoutMs > most.timeoutMs ? other : most
    }, one)
}

/** Whether another one that is the same is among them. */
export function isDouble(
  one: PlannedHook,
  others: readonly PlannedHook[],
): boolean {
  const { dedupeKey } = one
  if (dedupeKey === undefined) return false
  return others.some((other) => other !== one && other.dedupeKey === dedupeKey)
}

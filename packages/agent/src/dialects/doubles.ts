import type { PlannedHook } from './ask-one.ts'

/** Of hooks that are the same, the first one. */
export function withoutDoubles(
  planned: readonly PlannedHook[],
): readonly PlannedHook[] {
  return planned.filter((one, at) => !isDouble(one, planned.slice(0, at)))
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

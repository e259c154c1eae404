import type { Plan, PlannedHook } from 'hookline'

/** Why a hook stands where it does in its plan. */
export function orderReason(hook: PlannedHook, plan: Plan): string {
  const isWaited = plan.waited.includes(hook)
  const siblings = isWaited ? plan.waited : plan.observers
  const reasons = [
    ...tieReasons(hook, plan),
    rankReason(hook, siblings, plan),
    ...(isWaited ? batchReason(hook, plan) : ['after the decision']),
  ]
  return `${reasons.join('; ')}.`
}

/** What it says of others, and others of it. */
function tieReasons(
  { name, after, before, needs }: PlannedHook,
  { waited, observers }: Plan,
): readonly string[] {
  const others = [...waited, ...observers]
  const told = others.filter((one) => one.before.includes(name))
  const follow = others.filter(
    (one) => one.after.includes(name) || one.needs.includes(name),
  )
  return [
    ...needs.map((other) => `after "${other}", which it needs to complete`),
    ...after.map((other) => `after "${other}", as it says`),
    ...told.map((one) => `after "${one.name}", as that says`),
    ...before.map((other) => `before "${other}", as it says`),
    ...follow.map((one) => `before "${one.name}", as that says`),
  ]
}

function rankReason(
  hook: PlannedHook,
  siblings: readonly PlannedHook[],
  { point }: Plan,
): string {
  const { priority, index, name } = hook
  const isUp = point.order === 'ascending'
  const which = isUp ? 'the lowest first' : 'the highest first'
  const previous = siblings[index - 1]
  const rank = `priority ${priority}, ${which}`
  if (previous === undefined) return rank
  if (previous.priority === priority) {
    const isByName = previous.name < name
    return isByName
      ? `${rank}, and by name after "${previous.name}"`
      : `${rank}, but after "${previous.name}" because of what hooks say of each other`
  }
  const isInOrder = isUp
    ? previous.priority < priority
    : previous.priority > priority
  return isInOrder
    ? rank
    : `${rank}; its priority alone would have it before "${previous.name}"`
}

function batchReason(
  { index, batchEnd, name }: PlannedHook,
  { point, waited }: Plan,
): readonly string[] {
  if (point.flow !== 'parallel') return []
  const batch = waited.filter(
    (one) => one.batchEnd === batchEnd && one.name !== name,
  )
  if (batch.length === 0) return [`alone in its batch, at ${index + 1}`]
  const names = batch.map((one) => `"${one.name}"`).join(', ')
  return [`at the same time as ${names}`]
}

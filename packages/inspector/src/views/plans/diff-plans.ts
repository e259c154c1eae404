import type { Plan, PlanStep } from '../../data/protocol.ts'

export type MarkKind = 'leaves' | 'comes' | 'moves' | 'mode'

/** What becomes of one hook. */
export interface PlanChange {
  readonly hook: string
  readonly kind: MarkKind
  readonly text: string
}

/** What another plan of the same point changes, in words. */
export function diffPlans(now: Plan, then: Plan): readonly PlanChange[] {
  const before = byName(now)
  const after = byName(then)
  const left = now.steps.filter(({ name }) => !after.has(name)).map(leaves)
  const others = then.steps.flatMap((step) => changesOf(step, before))
  return [...left, ...others]
}

function byName({ steps }: Plan): ReadonlyMap<string, PlanStep> {
  return new Map(steps.map((step) => [step.name, step]))
}

function leaves({ name, mayAnswer }: PlanStep): PlanChange {
  const refuses = mayAnswer.includes('reject') ? ', and refuses nothing' : ''
  return { hook: name, kind: 'leaves', text: `no longer runs${refuses}.` }
}

function changesOf(
  step: PlanStep,
  before: ReadonlyMap<string, PlanStep>,
): readonly PlanChange[] {
  const { name: hook, order, mode } = step
  const was = before.get(hook)
  if (was === undefined) {
    return [{ hook, kind: 'comes', text: `runs, as number ${order}.` }]
  }
  if (was.mode !== mode) {
    const text =
      mode === 'evaluate'
        ? 'is only evaluated: its answers are recorded, and change nothing.'
        : 'is enforced: its answers hold.'
    return [{ hook, kind: 'mode', text }]
  }
  if (was.order === order) return []
  const text = `moves from number ${was.order} to ${order}.`
  return [{ hook, kind: 'moves', text }]
}

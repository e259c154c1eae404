import type { Contributed } from '../../engine/index.ts'
import { isEqualData } from './equal-data.ts'
import type { MergeDiagnostic } from './merge-diagnostic.ts'
import type { Policy } from './policy.ts'

/** A rule that holds, and whose it is. */
export interface EffectivePolicy extends Required<Policy> {
  readonly hook: string
}

export interface MergedPolicies {
  readonly policies: readonly EffectivePolicy[]
  readonly diagnostics: readonly MergeDiagnostic<'policy.conflict'>[]
}

/**
 * One rule for each domain and key: the heaviest, or of equals the first.
 * Equals that contradict the rule that holds are diagnosed; lighter ones are
 * overruled as intended.
 */
export function mergePolicies(
  contributed: readonly Contributed<Policy>[],
): MergedPolicies {
  const holding = new Map<string, EffectivePolicy>()
  for (const { by, value } of contributed) {
    const rule = { ...value, weight: weightOf(value), hook: by }
    const rival = holding.get(idOf(rule))
    if (rival === undefined || rule.weight > rival.weight) {
      holding.set(idOf(rule), rule)
    }
  }
  const diagnostics = contributed.flatMap(({ by, value }) => {
    const winner = holding.get(idOf(value))
    if (winner === undefined || weightOf(value) < winner.weight) return []
    if (isEqualData(value.value, winner.value)) return []
    return [diagnoseConflict(by, winner)]
  })
  return { policies: [...holding.values()], diagnostics }
}

function idOf({ domain, key }: Policy): string {
  return JSON.stringify([domain, key])
}

function weightOf({ weight = 0 }: Policy): number {
  return weight
}

function diagnoseConflict(
  hook: string,
  winner: EffectivePolicy,
): MergeDiagnostic<'policy.conflict'> {
  return {
    code: 'policy.conflict',
    hook,
    message: `Hooks "${winner.hook}" and "${hook}" disagree about policy ${winner.domain}/${winner.key} with equal weight; "${winner.hook}" comes first and holds.`,
  }
}

import type { AgentScope, Grant, ToolCall } from 'hookline/lifecycle'
import type { CompiledRule } from './compile-rule.ts'
import { limitGrant, meetGrants } from './grants.ts'
import { type ModeGrants, safetyOf } from './modes.ts'

export interface Judged {
  readonly modes: ModeGrants
  /** Whether no rule can lift what the mode denies. */
  readonly isCeiling: boolean
  readonly rules: readonly CompiledRule[]
}

/** Judges calls by rules, and by the mode where none fits. */
export function judgeCall({ modes, isCeiling, rules }: Judged) {
  if (rules.length === 0) {
    return ({ safety }: ToolCall): Grant => modes[safetyOf(safety)]
  }
  return (call: ToolCall, scope: AgentScope): Grant => {
    const byMode = modes[safetyOf(call.safety)]
    if (isCeiling && byMode.decision === 'deny') return byMode
    let decided: Grant | undefined
    const inherited: CompiledRule[] = []
    for (const rule of rules) {
      if (!rule.fits(call)) continue
      const standing = rule.standing(scope)
      if (standing === 'none') continue
      // What an agent may do, those below it may not; its limits bind them.
      if (standing === 'inherited' && rule.grant.decision === 'allow') {
        inherited.push(rule)
        continue
      }
      decided = decided ? meetGrants(decided, rule.grant) : rule.grant
    }
    return inherited.reduce(
      (grant, { limits }) => limitGrant(grant, limits),
      decided ?? byMode,
    )
  }
}

import type { Condition } from 'hookline'
import type { Grant, Restriction, SafetyClass } from 'hookline/lifecycle'

/**
 * What holds for the calls that fit all of its conditions. The limits beside
 * them can only narrow those of the policy.
 */
export interface PolicyRule extends Restriction {
  /** The name of the tool: itself, a glob such as `git_*`, or a list. */
  readonly tool?: Condition
  /** The plugin or hook that has the tool. */
  readonly owner?: Condition
  readonly safety?: SafetyClass | readonly SafetyClass[]
  /** Denials, questions and limits also hold for the agents below it. */
  readonly agent?: Condition
  /** Conditions on arguments by their paths: `{ 'file.path': '/etc/*' }`. */
  readonly args?: Condition
  readonly decision: Grant['decision']
  /** Shown to the model with a denial, and to the person who is asked. */
  readonly reason?: string
}

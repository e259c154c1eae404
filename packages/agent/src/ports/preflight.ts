import type { MaybePromise } from 'hookline'
import type { PreflightPlan, UserContent } from 'hookline/lifecycle'

/** Looks at a turn before its prompt is made, and plans what to recall. */
export interface PreflightPort {
  plan(content: UserContent): MaybePromise<PreflightPlan>
}

/** Plans nothing. */
export const noPreflight: PreflightPort = Object.freeze({
  plan: () => emptyPlan,
})

const emptyPlan: PreflightPlan = Object.freeze({
  source: 'fallback',
  recall: Object.freeze([]),
})

import { truncate } from 'hookline'
import type { PreflightPlan, UserContent } from 'hookline/lifecycle'
import type { PreflightPort } from '../ports/preflight.ts'

const maxQueryPoints = 500

const nothing: PreflightPlan = Object.freeze({
  source: 'none',
  recall: Object.freeze([]),
})

/** Recalls what has to do with the words of the user; asks no model. */
export const localPreflight: PreflightPort = Object.freeze({
  plan: planLocally,
})

export function planLocally(content: UserContent): PreflightPlan {
  const words = content.flatMap((block) =>
    block.type === 'text' ? [block.text.trim()] : [],
  )
  const { text: query } = truncate(words.join('\n').trim(), maxQueryPoints)
  if (query === '') return nothing
  return { source: 'local', recall: [{ domain: 'memory', query }] }
}

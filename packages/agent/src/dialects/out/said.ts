import type { Contributions, Engine, Outcome, Point } from 'hookline'
import { notice, promptContext } from 'hookline/lifecycle'
import type { Verdict } from '../verdict.ts'

/** What our hooks say about a moment, with our own names for arguments. */
export interface Said extends Verdict {
  /** A result in place of the call, as the model would have read it. */
  readonly result?: string
  /** Something that no product can be told. */
  readonly unsayable?: string
}

/** What nobody can judge is refused, if there is a hook that could refuse it. */
export function unread(
  { table }: Engine,
  what: string,
  points: readonly Point[],
): Said {
  const isJudged = points.some((point) => {
    const refusals = refusing.filter((answer) => point.answers.has(answer))
    const hooks = table.plans.get(point.name)?.waited ?? []
    return hooks.some(
      ({ mode, capabilities }) =>
        mode === 'enforce' &&
        refusals.some((answer) => {
          const right = point.rights.get(answer)
          return right === undefined || capabilities.includes(right)
        }),
    )
  })
  if (!isJudged) return {}
  return { decision: 'deny', reason: `It cannot be read ${what}.` }
}

/** A permission is refused by answering for the user. */
const refusing = ['reject', 'endTurn', 'respond'] as const

/** What a verdict of ours is in the words that products share. */
export function judged(outcome: Outcome): Said {
  const shared = spokenIn(outcome.contributions)
  switch (outcome.type) {
    case 'reject':
      return { ...shared, decision: 'deny', reason: outcome.reason }
    case 'ask': {
      const asked = outcome.questions.map(({ question }) => question)
      return { ...shared, decision: 'ask', reason: asked.join('\n') }
    }
    case 'endTurn':
      return { ...shared, stop: outcome.reason }
    case 'keepGoing':
      return { ...shared, keepGoing: outcome.feedback }
    case 'proceed':
    case 'respond':
      return shared
  }
}

function spokenIn(contributions: Contributions): Said {
  const added = contributions.of(promptContext)
  const told = contributions.of(notice)
  return {
    context: added.map(({ value }) => value.content),
    notices: told.map(({ value }) => value.message),
  }
}

/** The stronger of two; a denial is stronger than a question. */
export function both(first: Said, then: Said): Said {
  const isFirst = then.decision === undefined
  const reasons = [first, then].flatMap(({ decision, reason }) =>
    decision === 'ask' && reason ? [reason] : [],
  )
  const strongest = isFirst ? first : then
  const isAsk = strongest.decision === 'ask'
  return {
    ...strongest,
    ...(isAsk && { reason: reasons.reduce(joined, '') }),
    context: [...(first.context ?? []), ...(then.context ?? [])],
    notices: [...(first.notices ?? []), ...(then.notices ?? [])],
  }
}

/** Nobody is asked the same twice. */
function joined(before: string, more: string): string {
  if (before === '') return more
  const isAsked = `\n${before}\n`.includes(`\n${more}\n`)
  return isAsked ? before : `${before}\n${more}`
}

import type { Grant } from 'hookline/lifecycle'

/** The part of a grant that says whether. */
export type Verdict = Pick<Grant, 'decision' | 'reason' | 'askedBy'>

/** The loosest first. */
export const decisions: readonly Grant['decision'][] = ['allow', 'ask', 'deny']

export const allowed: Verdict = Object.freeze({ decision: 'allow' })

/**
 * Deny before ask before allow; of two equal ones the first with a reason. A
 * rule that asks is not lost behind a mode that does so, too.
 */
export function stricter(one: Verdict, other: Verdict): Verdict {
  const more = decisions.indexOf(other.decision)
  const difference = more - decisions.indexOf(one.decision)
  if (difference > 0) return other
  if (difference < 0) return one
  const isFirst = one.reason !== undefined || other.reason === undefined
  const { decision, reason, askedBy } = isFirst ? one : other
  if (askedBy === undefined || one.askedBy === other.askedBy) {
    return isFirst ? one : other
  }
  return reason === undefined ? { decision } : { decision, reason }
}

/** Reads a verdict from what may be anything; what is none denies. */
export function readVerdict(source: unknown): Verdict {
  const {
    decision,
    reason,
    askedBy,
  }: { decision?: unknown; reason?: unknown; askedBy?: unknown } =
    Object(source)
  const known = decisions.find((one) => one === decision)
  if (known === undefined) return unreadableVerdict(['decision'])
  return {
    decision: known,
    ...(typeof reason === 'string' && { reason }),
    ...(known === 'ask' && askedBy === 'mode' && { askedBy }),
  }
}

/** Denies if anything could not be read. */
export function unreadableVerdict(names: readonly string[]): Verdict {
  if (names.length === 0) return allowed
  const reason = `The grant of this call cannot be read (${names.join(', ')}), so it is denied. Do not retry it.`
  return { decision: 'deny', reason }
}

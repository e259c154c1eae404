import type { Grant } from 'hookline/lifecycle'

/** The part of a grant that says whether. */
export type Verdict = Pick<Grant, 'decision' | 'reason'>

/** The loosest first. */
export const decisions: readonly Grant['decision'][] = ['allow', 'ask', 'deny']

export const allowed: Verdict = Object.freeze({ decision: 'allow' })

/** Deny before ask before allow; of two equal ones the first with a reason. */
export function stricter(one: Verdict, other: Verdict): Verdict {
  const more = decisions.indexOf(other.decision)
  const difference = more - decisions.indexOf(one.decision)
  if (difference > 0) return other
  if (difference < 0 || one.reason !== undefined) return one
  return other.reason === undefined ? one : other
}

/** Reads a verdict from what may be anything; what is none denies. */
export function readVerdict(source: unknown): Verdict {
  const { decision, reason }: { decision?: unknown; reason?: unknown } =
    Object(source)
  const known = decisions.find((one) => one === decision)
  if (known === undefined) return unreadableVerdict(['decision'])
  return typeof reason === 'string'
    ? { decision: known, reason }
    : { decision: known }
}

/** Denies if anything could not be read. */
export function unreadableVerdict(names: readonly string[]): Verdict {
  if (names.length === 0) return allowed
  const reason = `The grant of this call cannot be read (${names.join(', ')}), so it is denied. Do not retry it.`
  return { decision: 'deny', reason }
}

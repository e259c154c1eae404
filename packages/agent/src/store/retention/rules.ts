import { StoreError } from '../store-error.ts'

/** How long, or how much, of something is kept. All that is given holds. */
export interface RetentionRule {
  /** What is older is removed. */
  readonly maxAgeMs?: number
  /** Only so many of the newest are kept. */
  readonly maxRows?: number
  /** Only as many of the newest as take about so much space. */
  readonly maxBytes?: number
}

/**
 * What is kept for how long. What has no rule is kept for good, but for what
 * is read once and kept elsewhere: events.
 */
export interface RetentionRules {
  /** What sessions said exactly; of those that ended so long ago. */
  readonly payloads?: RetentionRule
  /** Calls of sessions that ended so long ago. */
  readonly calls?: RetentionRule
  /** Turns of sessions that ended so long ago. */
  readonly turns?: RetentionRule
  /** All there is of sessions that ended so long ago. */
  readonly sessions?: RetentionRule
  /** What runs were given, where it was kept. */
  readonly runContent?: RetentionRule
  /** Runs of hooks, and their attempts. */
  readonly runs?: RetentionRule
  /** Approvals that nobody waits for or can use any more, and their votes. */
  readonly approvals?: RetentionRule
  /** Jobs that have ended. */
  readonly jobs?: RetentionRule
  /** What agents told, for streams. Default: a day. */
  readonly events?: RetentionRule
  /** Messages for sessions that are done; by their keys none comes twice. */
  readonly inbox?: RetentionRule
  /** What events have woken. */
  readonly firings?: RetentionRule
  /** Named events; by their keys none counts twice. */
  readonly emitted?: RetentionRule
  /** Wakes that fire once, and have. */
  readonly wakes?: RetentionRule
  /** Shared state of turns and sessions that are over. */
  readonly cells?: Pick<RetentionRule, 'maxAgeMs'>
  /** The beginning of the audit log, as far as it is anchored. */
  readonly audit?: Pick<RetentionRule, 'maxAgeMs' | 'maxRows'>
  /** Records of what was removed. */
  readonly removals?: RetentionRule
}

export type RetentionKind = keyof RetentionRules

export const defaultRules: RetentionRules = {
  events: { maxAgeMs: 86_400_000 },
}

export function checkRules(rules: RetentionRules): void {
  for (const [kind, rule] of Object.entries(rules)) {
    for (const [name, value] of Object.entries(rule as object)) {
      if (Number.isFinite(value) && Number(value) >= 0) continue
      const message = `The rule "${name}" for ${kind} is not a number from 0 on.`
      throw new StoreError('invalid-options', message)
    }
  }
}

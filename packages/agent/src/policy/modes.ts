import type { Grant, SafetyClass } from 'hookline/lifecycle'
import { makeGrant } from './grants.ts'
import type { Limits } from './limits.ts'
import { allowed, type Verdict } from './verdict.ts'

/** What holds for a call that no rule is about. */
export type PolicyMode = 'read-only' | 'ask-writes' | 'open' | 'deny-all'

export const policyModes: readonly PolicyMode[] = [
  'read-only',
  'ask-writes',
  'open',
  'deny-all',
]

export const safetyClasses: readonly SafetyClass[] = [
  'read_only',
  'mutating',
  'destructive',
  'network',
]

/** The one grant of each class; every call without a rule shares it. */
export type ModeGrants = Readonly<Record<SafetyClass, Grant>>

export function modeGrants(mode: PolicyMode, limits: Limits): ModeGrants {
  const grant = (safety: SafetyClass) =>
    makeGrant(modeVerdict(mode, safety), limits)
  return {
    read_only: grant('read_only'),
    mutating: grant('mutating'),
    destructive: grant('destructive'),
    network: grant('network'),
  }
}

/** The class of a call; one that is none of ours counts as the worst. */
export function safetyOf(safety: unknown): SafetyClass {
  return safetyClasses.find((known) => known === safety) ?? 'destructive'
}

function modeVerdict(mode: PolicyMode, safety: SafetyClass): Verdict {
  switch (mode) {
    case 'open':
      return allowed
    case 'deny-all':
      return {
        decision: 'deny',
        reason:
          'The policy "deny-all" denies every call that no rule allows. Do not retry it.',
      }
    case 'ask-writes':
      if (safety === 'read_only') return allowed
      return {
        decision: 'ask',
        askedBy: 'mode',
        reason: `The policy "ask-writes" asks a person before a ${safety} call.`,
      }
    case 'read-only':
      if (safety === 'read_only') return allowed
      return {
        decision: 'deny',
        reason: `The policy "read-only" denies ${safety} calls. Use tools that only read.`,
      }
  }
}

import type { Grant, Restriction } from 'hookline/lifecycle'
import {
  fillLimits,
  intersectLimits,
  type Limits,
  readLimits,
  type SomeLimits,
} from './limits.ts'
import {
  readVerdict,
  stricter,
  unreadableVerdict,
  type Verdict,
} from './verdict.ts'

/**
 * A grant with a restriction upon it. Nothing that a restriction holds can
 * widen the grant; one that cannot be read denies, and says so.
 */
export function narrowGrant(grant: Grant, restriction: Restriction): Grant {
  const { limits, unreadable } = readLimits(restriction)
  const before = readGrant(grant)
  const verdict = stricter(before, unreadableVerdict(unreadable))
  return makeGrant(verdict, intersectLimits(before, limits))
}

/**
 * What both grants allow, never more than either. The reason is that of the
 * stricter decision; if they are equal, the first that there is.
 */
export function intersectGrants(one: Grant, other: Grant): Grant {
  return meetGrants(readGrant(one), readGrant(other))
}

/** As `intersectGrants`, for grants that are in normal form already. */
export function meetGrants(one: Grant, other: Grant): Grant {
  if (one === other) return one
  return makeGrant(stricter(one, other), intersectLimits(one, other))
}

/** As `narrowGrant`, for a grant in normal form and limits that were read. */
export function limitGrant(grant: Grant, limits: SomeLimits): Grant {
  return makeGrant(grant, intersectLimits(grant, limits))
}

/** Its normal form: a grant may come from a policy that is not ours. */
export function readGrant(grant: Grant): Grant {
  if (normalGrants.has(grant)) return grant
  const { limits, unreadable } = fillLimits(readLimits(grant))
  const verdict = stricter(readVerdict(grant), unreadableVerdict(unreadable))
  return makeGrant(verdict, limits)
}

export function makeGrant(verdict: Verdict, limits: Limits): Grant {
  const { decision, reason, askedBy } = verdict
  const { sandbox, roots, network, timeoutMs, maxOutputBytes } = limits
  // Written out: this is on the way of many calls, and spreading costs.
  const limited =
    reason === undefined
      ? { decision, sandbox, roots, network, timeoutMs, maxOutputBytes }
      : { decision, reason, sandbox, roots, network, timeoutMs, maxOutputBytes }
  const grant: Grant = askedBy === undefined ? limited : { ...limited, askedBy }
  normalGrants.add(grant)
  return Object.freeze(grant)
}

// Those that were made here, frozen throughout, need not be read again.
const normalGrants = new WeakSet<Grant>()

import fc from 'fast-check'
import type { Grant, NetworkAccess, Restriction } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { PolicyPort } from '../ports/policy.ts'
import { callOf, scope } from './fixtures/calls.ts'
import {
  folders,
  isWithin,
  labels,
  mayReach,
  mayTouch,
  probedHosts,
  probedPaths,
} from './fixtures/is-within.ts'
import { intersectGrants, narrowGrant } from './grants.ts'
import { narrowPolicy } from './narrow-policy.ts'

const meet = intersectGrants

// With detours, but none above the root: those have tests of their own.
const path = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(...folders, '.', ''), { maxLength: 4 }),
  )
  .map(([isAbsolute, parts]) => {
    const text = parts.join('/').replace(/^\/+/, '')
    return isAbsolute ? `/${text}` : text || '.'
  })

const host = fc
  .tuple(
    fc.constantFrom('', '', '*.'),
    fc.array(fc.constantFrom(...labels, 'X'), { minLength: 1, maxLength: 3 }),
  )
  .map(([wildcard, parts]) => `${wildcard}${parts.join('.')}`)

const network: fc.Arbitrary<NetworkAccess> = fc.oneof(
  fc.constantFrom<NetworkAccess>('none', 'all', { hosts: ['*'] }),
  fc.record({ hosts: fc.array(host, { maxLength: 4 }) }),
)

const limits = {
  sandbox: fc.constantFrom<Grant['sandbox']>('none', 'workspace', 'read_only'),
  roots: fc.array(path, { maxLength: 4 }),
  network,
  timeoutMs: fc.nat({ max: 5 }),
  maxOutputBytes: fc.nat({ max: 5 }),
}

const anyRestriction = fc.record(limits, { requiredKeys: [] })

const anyGrant: fc.Arbitrary<Grant> = fc.record(
  {
    decision: fc.constantFrom<Grant['decision']>('allow', 'ask', 'deny'),
    reason: fc.constantFrom('One.', 'Two.', 'Three.'),
    ...limits,
  },
  {
    requiredKeys: [
      'decision',
      'sandbox',
      'roots',
      'network',
      'timeoutMs',
      'maxOutputBytes',
    ],
  },
)

/** Of two equal decisions the first gives the reason; the rest has no order. */
function withoutReason({ reason: _, ...rest }: Grant) {
  return rest
}

function isFrozen({ roots, network }: Grant): boolean {
  const isNetworkFrozen =
    typeof network === 'string' ||
    (Object.isFrozen(network) && Object.isFrozen(network.hosts))
  return Object.isFrozen(roots) && isNetworkFrozen
}

function always(grant: Grant): PolicyPort {
  return { grant: () => grant, needsGate: () => false }
}

describe('the intersection of two grants', () => {
  test('T17 is never wider than either', () => {
    fc.assert(
      fc.property(anyGrant, anyGrant, (one, other) => {
        const both = meet(one, other)
        expect(isWithin(both, one) && isWithin(both, other)).toBe(true)
      }),
    )
  })

  test('T17 gives all that both give', () => {
    fc.assert(
      fc.property(anyGrant, anyGrant, (one, other) => {
        const both = meet(one, other)
        for (const path of probedPaths) {
          const isCommon = mayTouch(one, path) && mayTouch(other, path)
          expect(mayTouch(both, path)).toBe(isCommon)
        }
        for (const host of probedHosts) {
          const isCommon = mayReach(one, host) && mayReach(other, host)
          expect(mayReach(both, host)).toBe(isCommon)
        }
      }),
    )
  })

  test('T17 is the same in either order, but for the reason of equals', () => {
    fc.assert(
      fc.property(anyGrant, anyGrant, (one, other) => {
        const [there, back] = [meet(one, other), meet(other, one)]
        expect(withoutReason(there)).toEqual(withoutReason(back))
        if (one.decision !== other.decision) expect(there).toEqual(back)
      }),
    )
  })

  test('T17 is the same however three are grouped', () => {
    fc.assert(
      fc.property(anyGrant, anyGrant, anyGrant, (one, two, three) => {
        const left = meet(meet(one, two), three)
        expect(left).toEqual(meet(one, meet(two, three)))
      }),
    )
  })

  test('of a grant with itself means the same, in a form that stays', () => {
    fc.assert(
      fc.property(anyGrant, (grant) => {
        const same = meet(grant, grant)
        expect(isWithin(same, grant) && isWithin(grant, same)).toBe(true)
        expect(meet(same, same)).toEqual(same)
        expect(meet(same, grant)).toEqual(same)
      }),
    )
  })

  test('is frozen throughout', () => {
    fc.assert(
      fc.property(anyGrant, anyGrant, (one, other) => {
        const both = meet(one, other)
        expect(Object.isFrozen(both) && isFrozen(both)).toBe(true)
      }),
    )
  })
})

describe('a restriction', () => {
  test('T17 never widens, and leaves what it does not name', () => {
    fc.assert(
      fc.property(anyGrant, anyRestriction, (grant, restriction) => {
        const before = meet(grant, grant)
        const after = narrowGrant(grant, restriction)
        expect(isWithin(after, grant)).toBe(true)
        expect(after.decision).toBe(grant.decision)
        const kept = Object.keys(after).filter((key) => !(key in restriction))
        expect(after).toMatchObject(
          Object.fromEntries(
            Object.entries(before).filter(([key]) => kept.includes(key)),
          ),
        )
      }),
    )
  })

  test('T17 two of them come to the same in either order', () => {
    fc.assert(
      fc.property(
        anyGrant,
        anyRestriction,
        anyRestriction,
        (grant, one, two) => {
          expect(narrowGrant(narrowGrant(grant, one), two)).toEqual(
            narrowGrant(narrowGrant(grant, two), one),
          )
        },
      ),
    )
  })

  test('that is no valid data never widens', () => {
    const keys = ['sandbox', 'roots', 'network', 'timeoutMs', 'decision']
    const odd = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...keys, 'maxOutputBytes'), fc.anything()),
      fc.constantFrom(
        { roots: ['/a', 7] },
        { roots: '/a' },
        { network: { hosts: 'x' } },
        { network: { hosts: ['x', null] } },
        { timeoutMs: -1 },
        { timeoutMs: Number.NaN },
        { sandbox: 'constructor' },
        { decision: 'allow' },
      ),
    )
    fc.assert(
      fc.property(anyGrant, odd, (grant, restriction) => {
        // The point is that it is none.
        const after = narrowGrant(grant, restriction as Restriction)
        expect(isWithin(after, grant)).toBe(true)
      }),
    )
  })
})

describe('the policy of a sub-agent', () => {
  test('T17 never grants more than its parent or its own', async () => {
    await fc.assert(
      fc.asyncProperty(anyGrant, anyGrant, async (parent, child) => {
        const grant = await narrowPolicy(always(parent), always(child)).grant(
          callOf(),
          scope,
        )
        expect(isWithin(grant, parent) && isWithin(grant, child)).toBe(true)
        expect(Object.isFrozen(grant)).toBe(true)
      }),
    )
  })
})

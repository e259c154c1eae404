import type { Grant } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { PolicyPort } from '../ports/policy.ts'
import { createPolicy } from './create-policy.ts'
import { callOf, scope, wide } from './fixtures/calls.ts'
import { narrowPolicy } from './narrow-policy.ts'

function always(grant: Grant | Promise<Grant>, isGated = false): PolicyPort {
  return { grant: () => grant, needsGate: () => isGated }
}

async function narrowed(
  parent: Grant | Promise<Grant>,
  child: Grant | Promise<Grant>,
  cwd?: string,
): Promise<Grant> {
  const policy = narrowPolicy(always(parent), always(child))
  const where = cwd === undefined ? scope : { ...scope, cwd }
  return await policy.grant(callOf(), where)
}

describe('the policy of a sub-agent', () => {
  test('T16 consent of the child lifts no denial of the parent', async () => {
    const parent = createPolicy({ mode: 'read-only' })
    const child = createPolicy({ mode: 'open', rules: [{ decision: 'allow' }] })
    const grant = await narrowPolicy(parent, child).grant(callOf(), scope)
    expect(grant.decision).toBe('deny')
    expect(grant.reason).toContain('"read-only"')
  })

  test('answers at once if both do, and waits for the one that does not', async () => {
    const now = narrowPolicy(always(wide), always(wide))
    expect(now.grant(callOf(), scope)).not.toBeInstanceOf(Promise)
    const denied: Grant = { ...wide, decision: 'deny' }
    const late = Promise.resolve(denied)
    expect((await narrowed(late, wide)).decision).toBe('deny')
    expect((await narrowed(wide, late)).decision).toBe('deny')
    expect((await narrowed(late, late)).decision).toBe('deny')
  })

  test('fails if either fails', async () => {
    const failing = async () => {
      throw new Error('no policy')
    }
    await expect(narrowed(failing(), wide)).rejects.toThrow('no policy')
    await expect(narrowed(wide, failing())).rejects.toThrow('no policy')
  })

  test('compares relative roots in the working folder', async () => {
    const parent = { ...wide, roots: ['/repo'] }
    const child = { ...wide, roots: ['.', '../..'] }
    const inside = await narrowed(parent, child, '/repo/app')
    expect(inside.roots).toEqual(['/repo'])
    const outside = await narrowed(parent, { ...child, roots: ['.'] }, '/other')
    expect(outside.roots).toEqual([])
    expect((await narrowed(parent, child)).roots).toEqual([])
  })

  test('keeps relative roots where there is no working folder', async () => {
    const parent = { ...wide, roots: ['.'] }
    const child = { ...wide, roots: ['src'] }
    expect((await narrowed(parent, child)).roots).toEqual(['src'])
  })

  test.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('needs a gate if either does: %s, %s: %s', (parent, child, needs) => {
    const policy = narrowPolicy(always(wide, parent), always(wide, child))
    expect(policy.needsGate(callOf(), scope)).toBe(needs)
  })
})

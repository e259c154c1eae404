import { expect, test } from 'vitest'
import type { Plan, PlanStep } from '../../data/protocol.ts'
import { diffPlans } from './diff-plans.ts'
import { layoutPlan, nodeHeight } from './layout-plan.ts'

/** A plan of hooks by their lanes, such as `[['a'], ['b', 'c']]`. */
function planOf(
  lanes: readonly (readonly string[])[],
  more: Partial<Plan> = {},
): Plan {
  const placed = lanes.flatMap((names, at) =>
    names.map((name) => ({ name, lane: at + 1 })),
  )
  const steps = placed.map(
    ({ name, lane }, at): PlanStep => ({
      ...{ name, lane, point: 'tool.guard', order: at + 1, priority: 100 },
      handler: { id: name, kind: 'command' },
      source: { kind: 'code' },
      ...{ execution: 'blocking', onFailure: 'closed', mode: 'enforce' },
      ...{ visibility: 'internal', matcher: 'every input', capabilities: [] },
      ...{ reaches: '', isEnabled: true, isManaged: false, because: '' },
      ...{ matches: 'yes', mayAnswer: ['proceed', 'reject'] },
      ...{ whenItFails: '', isObserver: false },
    }),
  )
  const point = { point: 'tool.guard', agent: 'a', flow: '', whenRefused: '' }
  return { ...point, answers: [], contributions: [], steps, ties: [], ...more }
}

test('what another plan changes is said of each hook once', () => {
  const now = planOf([['a'], ['b'], ['c'], ['d']])
  const [, b, c, d] = planOf([['a'], ['b'], ['c'], ['d']]).steps
  if (!(b && c && d)) throw new Error('There are four.')
  const then = planOf([], {
    steps: [
      { ...b, order: 1 },
      { ...c, order: 2, mode: 'evaluate' },
      { ...d, order: 4 },
      { ...d, name: 'e', order: 3 },
    ],
  })
  const found = diffPlans(now, then).map(({ hook, kind }) => [hook, kind])
  expect(found).toEqual([
    ['a', 'leaves'],
    ['b', 'moves'],
    ['c', 'mode'],
    ['e', 'comes'],
  ])
  expect(diffPlans(now, now)).toEqual([])
})

test('lanes are drawn one below the other, and what is in one beside each other', () => {
  const { steps, lanes, flow } = layoutPlan(
    planOf([['a'], ['b', 'c'], ['d']]),
    1_000,
  )
  const [a, b, c, d] = steps
  expect(b?.y).toBe(c?.y)
  expect(c?.x).toBeGreaterThan(b?.x ?? 0)
  expect(b?.y).toBeGreaterThan((a?.y ?? 0) + nodeHeight)
  expect(d?.y).toBeGreaterThan((c?.y ?? 0) + nodeHeight)
  expect(lanes.map(({ label }) => label)).toEqual(['1', '2–3', '4'])
  expect(flow).toHaveLength(2)
})

test('where there is no room they are drawn below each other, and nothing is wider than the room', () => {
  const { steps, width } = layoutPlan(planOf([['a', 'b', 'c']]), 320)
  expect(new Set(steps.map(({ x }) => x)).size).toBe(1)
  expect(new Set(steps.map(({ y }) => y)).size).toBe(3)
  expect(width).toBeLessThanOrEqual(320)
})

test('every tie has its own way; one that skips lanes goes around them', () => {
  const plan = planOf([['a'], ['b'], ['c']], {
    ties: [
      { from: 'a', to: 'b', kind: 'needs' },
      { from: 'a', to: 'c', kind: 'after' },
      { from: 'a', to: 'gone', kind: 'after' },
    ],
  })
  const { ties, width } = layoutPlan(plan, 600)
  expect(ties.map(({ from, to }) => from + to)).toEqual(['ab', 'ac'])
  expect(ties[0]?.path).toMatch(/^M.*C/)
  expect(ties[1]?.path).toMatch(/^M.*H.*V.*H/)
  expect(width).toBeGreaterThan(layoutPlan(planOf([['a']]), 600).width)
})

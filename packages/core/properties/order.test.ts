import fc from 'fast-check'
import { test } from 'vitest'
import { agree, check } from '../fixtures/check-property.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import {
  type Hook,
  HookError,
  type PlannedHook,
  type Point,
  proceed,
} from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { named, priority } from './generators.ts'

const points: Point[] = (['serial', 'parallel'] as const).flatMap((flow) =>
  (['ascending', 'descending'] as const).map((order) =>
    definePoint(`order.${flow}.${order}`, { input: type<null>(), flow, order }),
  ),
)

type Relation = 'after' | 'before' | 'needs'

interface Declared {
  readonly name: string
  readonly priority: number
  readonly edges: readonly { readonly to: number; readonly how: Relation }[]
}

const declared = fc.record({
  priority,
  edges: fc.array(
    fc.record({
      to: fc.nat(7),
      how: fc.constantFrom<Relation>('after', 'before', 'needs'),
    }),
    { maxLength: 3 },
  ),
})

const cases = named(declared, { tag: 'hook', min: 1, max: 8 }).chain((hooks) =>
  fc.record({
    point: fc.constantFrom(...points),
    hooks: fc.constant<Declared[]>(hooks),
    // Half of the cases have no cycle: whoever is named stands further on.
    isAcyclic: fc.boolean(),
    shuffled: fc.shuffledSubarray(
      hooks.map((_, at) => at),
      { minLength: hooks.length },
    ),
  }),
)

type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never

/** The pairs of indices of which the first must run before the second. */
function pairsOf({ hooks, isAcyclic }: Case): [number, number][] {
  return hooks.flatMap(({ edges }, from) =>
    edges.flatMap(({ to, how }): [number, number][] => {
      const other = to % hooks.length
      if (other === from || (isAcyclic && isBackward(from, other, how))) {
        return []
      }
      return [how === 'before' ? [from, other] : [other, from]]
    }),
  )
}

function isBackward(from: number, to: number, how: Relation): boolean {
  return how === 'before' ? from > to : to > from
}

function hooksOf(example: Case): Hook[] {
  const { hooks, point, isAcyclic } = example
  return hooks.map(({ name, priority: rank, edges }, from) => {
    const named = (how: Relation) =>
      edges
        .filter((edge) => edge.how === how)
        .map(({ to }) => to % hooks.length)
        .filter((to) => to !== from)
        .filter((to) => !isAcyclic || !isBackward(from, to, how))
        .map((to) => hooks[to]?.name as string)
    return {
      name,
      on: point,
      priority: rank,
      after: named('after'),
      before: named('before'),
      needs: named('needs'),
      run: () => proceed,
    }
  })
}

/**
 * The rule, as slowly as it can be said: of the hooks whose leaders have all
 * been placed, the first by priority and then by name is next. Undefined when
 * nobody can be next. Parallel points take it layer by layer.
 */
function slowOrder(example: Case): string[] | undefined {
  const { hooks, point } = example
  const pairs = pairsOf(example)
  const sign = point.order === 'ascending' ? 1 : -1
  const left = new Set(hooks.keys())
  const placed: number[] = []
  while (left.size > 0) {
    const free = [...left].filter(
      (at) => !pairs.some(([lead, next]) => next === at && left.has(lead)),
    )
    const [first] = free.sort((a, b) => {
      const [one, two] = [hooks[a] as Declared, hooks[b] as Declared]
      if (one.priority !== two.priority) {
        return sign * (one.priority < two.priority ? -1 : 1)
      }
      return one.name < two.name ? -1 : 1
    })
    if (first === undefined) return undefined
    left.delete(first)
    placed.push(first)
  }
  const names = (order: number[]) =>
    order.map((at) => hooks[at]?.name as string)
  if (point.flow === 'serial') return names(placed)
  const layerOf = (at: number): number =>
    Math.max(
      0,
      ...pairs
        .filter(([, next]) => next === at)
        .map(([lead]) => layerOf(lead) + 1),
    )
  const layers = hooks.map((_, layer) =>
    placed.filter((at) => layerOf(at) === layer),
  )
  return names(layers.flat())
}

function planOf(
  hooks: readonly Hook[],
  { point }: Case,
): readonly PlannedHook[] | string {
  try {
    return compileTable(hooks).plans.get(point.name)?.waited ?? []
  } catch (error) {
    if (error instanceof HookError) return error.code
    throw error
  }
}

function namesOf(plan: ReturnType<typeof planOf>): string | string[] {
  return typeof plan === 'string' ? plan : plan.map(({ name }) => name)
}

test('the order is a function of the declarations alone', async () => {
  const property = fc.property(cases, (example) => {
    const hooks = hooksOf(example)
    const plan = planOf(hooks, example)
    agree('the plan', namesOf(plan), slowOrder(example) ?? 'dependency-cycle')
    const shuffled = example.shuffled.map((at) => hooks[at] as Hook)
    agree('shuffled', namesOf(planOf(shuffled, example)), namesOf(plan))
    if (typeof plan === 'string') return
    const place = new Map(plan.map((one) => [one.name, one]))
    for (const [lead, next] of pairsOf(example)) {
      const leader = place.get(example.hooks[lead]?.name ?? '')
      const follower = place.get(example.hooks[next]?.name ?? '')
      const isKept = (leader?.batchEnd ?? 9) <= (follower?.index ?? -1)
      agree(`${leader?.name} before ${follower?.name}`, isKept, true)
    }
  })
  await check('order', property, { runs: 5_000 })
})

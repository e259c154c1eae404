import {
  freezeDeep,
  type Hook,
  HookError,
  hookError,
  type Mode,
  type Plan,
  type PlannedHook,
  type Point,
  type Table,
} from '../engine/index.ts'
import { checkHook, sealFallback } from './check-hook.ts'
import { collectLeaders } from './dependencies.ts'
import { compileMatch, type MatchEngines } from './match.ts'
import { orderHooks } from './order.ts'
import { isWaited, resolveHook } from './resolve-hook.ts'

export interface TableOptions {
  /** `evaluate`: every hook runs and is recorded, and nothing changes. */
  readonly mode?: Mode
  readonly match?: Partial<MatchEngines>
  readonly maxHooks?: number
}

const defaultMaxHooks = 10_000

/** Checks and orders hooks. What is wrong is found here, not in a dispatch. */
export function compileTable(
  hooks: readonly Hook[],
  options: TableOptions = {},
): Table {
  const { maxHooks = defaultMaxHooks, mode } = options
  if (hooks.length > maxHooks) {
    const message = `A table holds at most ${maxHooks} hooks; this one has ${hooks.length}.`
    throw new HookError('too-many-hooks', message)
  }
  const byName = new Map<string, Hook>()
  for (const hook of hooks) {
    checkHook(hook)
    const { name } = hook
    if (byName.has(name)) {
      const message = `Two hooks are named "${name}"; rename one.`
      throw new HookError('duplicate-name', message, name)
    }
    byName.set(name, hook)
  }
  const enabled = hooks.filter((hook) => !hook.disabled)
  const plans = new Map<string, Plan>()
  for (const [name, group] of Map.groupBy(enabled, ({ on }) => on.name)) {
    plans.set(name, planPoint(group, byName, options))
  }
  const resolved = hooks.map((hook) => resolveHook(hook, mode))
  return Object.freeze({ hooks: freezeDeep(resolved), plans })
}

function planPoint(
  hooks: readonly Hook[],
  byName: ReadonlyMap<string, Hook>,
  options: TableOptions,
): Plan {
  const point = onePoint(hooks)
  const leaders = collectLeaders(hooks, byName)
  const placed = orderHooks(
    hooks.map((hook) => {
      const resolved = resolveHook(hook, options.mode)
      const matches = compileMatch(hook, options.match)
      const follows = leaders.get(hook.name) ?? []
      const { run } = hook as { run: PlannedHook['run'] }
      const fallback = sealFallback(hook)
      return { ...resolved, hook, run, fallback, matches, follows }
    }),
    point.order,
  )
  // Sorting is stable: within a batch, the order of the plan stays.
  if (point.flow === 'parallel') placed.sort((a, b) => a.batch - b.batch)
  const waited = placed.filter(({ item }) => isWaited(item.hook))
  const observers = placed.filter(({ item }) => !isWaited(item.hook))
  const indexOf = new Map(waited.map(({ item }, at) => [item.name, at]))
  const endOf = new Map(waited.map(({ batch }, at) => [batch, at + 1]))

  const plan =
    (batchEndOf: (batch: number, index: number) => number) =>
    ({ item, batch }: (typeof placed)[0], index: number): PlannedHook =>
      Object.freeze({
        ...item,
        index,
        batchEnd: batchEndOf(batch, index),
        // Dependencies were checked: each is a waited hook of this point.
        needed: item.needs.map((name) => indexOf.get(name) as number),
      })

  const ends = observerEnds(observers.map(({ item }) => item))
  const isParallel = point.flow === 'parallel'
  const planned = waited.map(
    plan((batch, index) => (isParallel && endOf.get(batch)) || index + 1),
  )
  checkWriters(planned)
  return Object.freeze({
    point,
    waited: Object.freeze(planned),
    observers: Object.freeze(
      observers.map(plan((_, at) => ends[at] ?? at + 1)),
    ),
    hasNeeds: hooks.some((hook) => hook.needs !== undefined),
  })
}

/**
 * Where the batch of each observer ends: before the first that follows one of
 * its members. Observers keep their order; nobody waits for them.
 */
function observerEnds(
  observers: readonly { name: string; follows: readonly string[] }[],
): readonly number[] {
  const ends: number[] = observers.map(() => observers.length)
  let batch = new Set<string>()
  for (const [at, { name, follows }] of observers.entries()) {
    if (follows.some((leader) => batch.has(leader))) {
      ends.fill(at, at - batch.size, at)
      batch = new Set()
    }
    batch.add(name)
  }
  return ends
}

/** Points are known by name, so that two copies of a package agree. */
function onePoint(hooks: readonly Hook[]): Point {
  const [first, ...others] = hooks.map((hook) => hook.on)
  const point = first as Point // a group is never empty
  const rules = describePoint(point)
  for (const other of new Set(others)) {
    if (describePoint(other) === rules) continue
    const message = `Two different points are named ${point.name}; rename one.`
    throw new HookError('invalid-point', message)
  }
  return point
}

/** The rules of a point that can be compared: a look-alike lifts none. */
function describePoint(point: Point): string {
  const { answers, kinds, fields, rights, ...rest } = point
  const pairs = [...rights].map((pair) => pair.join(' needs '))
  const names = [[...answers], [...kinds.keys()], [...fields.keys()], pairs]
  return JSON.stringify([rest, ...names.map((list) => list.sort())])
}

/** A gate that ran before a rewrite would have judged another value. */
function checkWriters(waited: readonly PlannedHook[]): void {
  const writes = ({ hook, mode }: PlannedHook) =>
    hook.writes === true && mode === 'enforce'
  const lastWriter = waited.findLast(writes)
  if (lastWriter === undefined) return
  for (const { hook, index, mode } of waited) {
    if (index > lastWriter.index) return
    const isGate = mode === 'enforce' && hook.on.answers.has('reject')
    if (!isGate || hook.writes || hook.beforeWrites) continue
    const problem = `would judge ${hook.on.name} before "${lastWriter.name}" changes it; add after: ['${lastWriter.name}'], gate at a later point, or set beforeWrites: true`
    throw hookError('gate-before-writer', hook.name, problem)
  }
}

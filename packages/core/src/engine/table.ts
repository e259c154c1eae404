import { checkHook } from './check-hook.ts'
import { collectLeaders } from './dependencies.ts'
import { HookError } from './error.ts'
import type { Hook } from './hook.ts'
import { compileMatch, type MatchEngines, type Matcher } from './match.ts'
import { orderHooks } from './order.ts'
import type { Point } from './point.ts'
import type { Mode } from './record.ts'
import { type HookDescriptor, isWaited, resolveHook } from './resolve-hook.ts'

/** A hook with its place in the plan. */
export interface PlannedHook extends HookDescriptor, Place {
  readonly hook: Hook
  readonly matches: Matcher | undefined
  /** The indices of the waited hooks that must have completed. */
  readonly needed: readonly number[]
}

interface Place {
  /** Its index among the waited hooks, or among the observers. */
  readonly index: number
  /** The index after the last hook that may run at the same time. */
  readonly batchEnd: number
}

/** The checked, ordered hooks of one point. */
export interface Plan {
  readonly point: Point
  readonly waited: readonly PlannedHook[]
  readonly observers: readonly PlannedHook[]
  readonly hasNeeds: boolean
}

/** All plans. Frozen: a table is replaced whole, never changed. */
export interface Table {
  readonly hooks: readonly HookDescriptor[]
  readonly plans: ReadonlyMap<string, Plan>
}

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
  const maxHooks = options.maxHooks ?? defaultMaxHooks
  if (hooks.length > maxHooks) {
    throw new HookError(
      'too-many-hooks',
      `A table holds at most ${maxHooks} hooks; this one has ${hooks.length}.`,
    )
  }
  const byName = new Map<string, Hook>()
  for (const hook of hooks) {
    checkHook(hook)
    if (byName.has(hook.name)) {
      throw new HookError(
        'duplicate-name',
        `Two hooks are named "${hook.name}"; rename one.`,
        { hook: hook.name },
      )
    }
    byName.set(hook.name, hook)
  }
  const groups = Map.groupBy(hooks, (hook) => hook.on.name)
  const plans = new Map<string, Plan>()
  for (const [point, group] of groups) {
    const enabled = group.filter((hook) => !hook.disabled)
    if (enabled.length === 0) continue
    plans.set(point, planPoint(enabled, byName, options))
  }
  return Object.freeze({
    hooks: hooks.map((hook) => resolveHook(hook, options.mode)),
    plans,
  })
}

function planPoint(
  hooks: readonly Hook[],
  byName: ReadonlyMap<string, Hook>,
  options: TableOptions,
): Plan {
  const point = onePoint(hooks)
  const leaders = collectLeaders(hooks, byName)
  const placed = orderHooks(
    hooks.map((hook) => ({
      hook,
      ...resolveHook(hook, options.mode),
      follows: leaders.get(hook.name) ?? [],
    })),
    point.order,
  )
  // Sorting is stable: within a batch, the order of the plan stays.
  if (point.flow === 'parallel') placed.sort((a, b) => a.batch - b.batch)
  const waited = placed.filter(({ item }) => isWaited(item.hook))
  const observers = placed.filter(({ item }) => !isWaited(item.hook))
  const indexOf = new Map(waited.map(({ item }, at) => [item.name, at]))
  const endOf = new Map(waited.map(({ batch }, at) => [batch, at + 1]))

  const plan = (item: (typeof placed)[0]['item'], place: Place) => {
    const { follows: _, ...resolved } = item
    const { name, hook, needs } = resolved
    return Object.freeze({
      ...resolved,
      ...place,
      matches: compileMatch(name, point, hook.match, options.match),
      // Dependencies were checked: each is a waited hook of this point.
      needed: needs.map((name) => indexOf.get(name) as number),
    })
  }

  const planned = {
    waited: waited.map(({ item, batch }, index) => {
      const end = point.flow === 'parallel' ? endOf.get(batch) : undefined
      return plan(item, { index, batchEnd: end ?? index + 1 })
    }),
    observers: observers.map(({ item }, index) =>
      plan(item, { index, batchEnd: observers.length }),
    ),
  }
  checkWriters(planned.waited)
  const hasNeeds = hooks.some((hook) => hook.needs !== undefined)
  return Object.freeze({ point, ...planned, hasNeeds })
}

/** Points are known by name, so that two copies of a package agree. */
function onePoint(hooks: readonly Hook[]): Point {
  const [first, ...others] = hooks.map((hook) => hook.on)
  const point = first as Point // a group is never empty
  const summary = (one: Point) =>
    [one.flow, one.order, one.subject, ...one.answers].join()
  for (const other of new Set(others)) {
    if (summary(other) === summary(point)) continue
    throw new HookError(
      'invalid-point',
      `Two different points are named ${point.name}; rename one.`,
    )
  }
  return point
}

/** A gate that ran before a rewrite would have judged another value. */
function checkWriters(waited: readonly PlannedHook[]): void {
  const writes = ({ hook, mode }: PlannedHook) =>
    hook.writes === true && mode === 'enforce'
  const lastWriter = waited.findLast(writes)
  if (lastWriter === undefined) return
  for (const { hook, index } of waited) {
    if (index > lastWriter.index) return
    if (hook.writes || hook.beforeWrites || !hook.on.answers.has('reject')) {
      continue
    }
    throw new HookError(
      'gate-before-writer',
      `Hook "${hook.name}" would judge ${hook.on.name} before "${lastWriter.name}" changes it; order it after, or set beforeWrites.`,
      { hook: hook.name },
    )
  }
}

/** The table of an engine without hooks. */
export const emptyTable: Table = compileTable([])

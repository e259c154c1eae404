import { HookError } from '../engine/index.ts'

/** What ordering needs to know of a hook. */
export interface Orderable {
  readonly name: string
  readonly priority: number
  /** The names of the hooks that must run before this one. */
  readonly follows: readonly string[]
}

/** A hook's place: `batch` counts the longest chain of hooks before it. */
export interface Placed<T> {
  readonly item: T
  readonly batch: number
}

interface Node<T> extends Placed<T> {
  readonly rank: number
  readonly waitsFor: Set<string>
  readonly followers: Node<T>[]
  batch: number
}

/**
 * Orders hooks first by what they follow, then by priority, then by name: a
 * function of the declarations alone. A cycle is an error that names it.
 */
export function orderHooks<T extends Orderable>(
  items: readonly T[],
  order: 'ascending' | 'descending',
): Placed<T>[] {
  const sign = order === 'ascending' ? 1 : -1
  const nodes = [...items]
    .sort(
      (a, b) => sign * (a.priority - b.priority) || (a.name < b.name ? -1 : 1),
    )
    .map((item, rank): Node<T> => {
      const waitsFor = new Set(item.follows)
      return { item, rank, waitsFor, followers: [], batch: 0 }
    })
  const byName = new Map(nodes.map((node) => [node.item.name, node]))
  for (const node of nodes) {
    for (const name of node.waitsFor) byName.get(name)?.followers.push(node)
  }
  // Sorted with the next one last, so that taking it is cheap.
  const ready = nodes.filter((node) => node.waitsFor.size === 0).reverse()
  const placed: Placed<T>[] = []
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    placed.push(node)
    for (const follower of node.followers) {
      follower.batch = Math.max(follower.batch, node.batch + 1)
      follower.waitsFor.delete(node.item.name)
      if (follower.waitsFor.size > 0) continue
      const { rank } = follower
      ready.splice(
        lowest(ready, (one) => one.rank < rank),
        0,
        follower,
      )
    }
  }
  if (placed.length < nodes.length) {
    throw cycleError(nodes.filter((node) => node.waitsFor.size > 0))
  }
  return placed
}

/** The first index whose member passes, in a list where all later ones do. */
function lowest<T>(list: readonly T[], passes: (member: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(list[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

/** Every stuck hook waits for another stuck one: walking back must repeat. */
function cycleError(stuck: readonly Node<Orderable>[]): HookError {
  const byName = new Map(stuck.map((node) => [node.item.name, node]))
  const path = new Set<string>()
  let name = stuck[0]?.item.name ?? ''
  while (!path.has(name)) {
    path.add(name)
    const leaders = byName.get(name)?.waitsFor ?? []
    name = [...leaders].find((leader) => byName.has(leader)) ?? name
  }
  const walked = [...path]
  const cycle = walked.slice(walked.indexOf(name)).reverse()
  const shown = cycle.slice(0, 10).map((one) => `"${one}"`)
  if (cycle.length > 10) shown.push(`${cycle.length - 10} more`)
  const message = `These hooks wait for each other in a circle: ${shown.join(', then ')}; remove one dependency.`
  return new HookError('dependency-cycle', message, cycle[0])
}

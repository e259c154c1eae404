import { HookError } from './error.ts'

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

/**
 * Orders hooks first by what they follow, then by priority, then by name: a
 * function of the declarations alone. A cycle is an error that names it.
 */
export function orderHooks<T extends Orderable>(
  items: readonly T[],
  order: 'ascending' | 'descending',
): Placed<T>[] {
  const sign = order === 'ascending' ? 1 : -1
  const ranked = [...items].sort(
    (a, b) => sign * (a.priority - b.priority) || (a.name < b.name ? -1 : 1),
  )
  const rankOf = new Map(ranked.map((item, rank) => [item.name, rank]))
  const followers: number[][] = ranked.map(() => [])
  const waitsFor = ranked.map((item, rank) => {
    const leaders = new Set(item.follows)
    for (const name of leaders) {
      // Names were checked before: each is a hook of this point.
      followers[rankOf.get(name) as number]?.push(rank)
    }
    return leaders.size
  })
  const batches = ranked.map(() => 0)
  const ready = new RankHeap()
  for (const [rank, count] of waitsFor.entries()) {
    if (count === 0) ready.push(rank)
  }
  const placed: Placed<T>[] = []
  for (let rank = ready.pop(); rank !== undefined; rank = ready.pop()) {
    const batch = batches[rank] as number
    placed.push({ item: ranked[rank] as T, batch })
    for (const follower of followers[rank] as number[]) {
      batches[follower] = Math.max(batches[follower] as number, batch + 1)
      waitsFor[follower] = (waitsFor[follower] as number) - 1
      if (waitsFor[follower] === 0) ready.push(follower)
    }
  }
  if (placed.length < ranked.length) {
    const stuck = ranked.filter((_, rank) => (waitsFor[rank] as number) > 0)
    throw cycleError(findCycle(stuck))
  }
  return placed
}

/** The smallest rank first. */
class RankHeap {
  readonly #ranks: number[] = []

  push(rank: number): void {
    const ranks = this.#ranks
    let at = ranks.push(rank) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((ranks[parent] as number) <= rank) break
      ranks[at] = ranks[parent] as number
      at = parent
    }
    ranks[at] = rank
  }

  pop(): number | undefined {
    const ranks = this.#ranks
    const smallest = ranks[0]
    const last = ranks.pop()
    if (last === undefined || ranks.length === 0) return smallest
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= ranks.length) break
      const right = ranks[child + 1]
      if (right !== undefined && right < (ranks[child] as number)) child++
      if ((ranks[child] as number) >= last) break
      ranks[at] = ranks[child] as number
      at = child
    }
    ranks[at] = last
    return smallest
  }
}

/** Every stuck hook follows another stuck one, so walking back must repeat. */
function findCycle(stuck: readonly Orderable[]): string[] {
  const byName = new Map(stuck.map((item) => [item.name, item]))
  const path: string[] = []
  const seen = new Map<string, number>()
  let item = stuck[0]
  while (item !== undefined && !seen.has(item.name)) {
    seen.set(item.name, path.push(item.name) - 1)
    const leader = item.follows.find((name) => byName.has(name))
    item = leader === undefined ? undefined : byName.get(leader)
  }
  return path.slice(seen.get(item?.name ?? '') ?? 0).reverse()
}

function cycleError(cycle: readonly string[]): HookError {
  const shown = cycle.slice(0, 10)
  const names = shown.map((name) => `"${name}"`).join(', then ')
  const rest = cycle.length > 10 ? ` (and ${cycle.length - 10} more)` : ''
  return new HookError(
    'dependency-cycle',
    `These hooks wait for each other in a circle: ${names}${rest}, then "${cycle[0]}" again; remove one dependency.`,
    { hook: cycle[0] ?? '' },
  )
}

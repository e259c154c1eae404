/** The next name that covers this one and all beside it, if there is one. */
export type Above = (name: string) => string | undefined

/** The same cover, sorted, without names that another one covers. */
export function widest(
  names: readonly string[],
  above: Above,
): readonly string[] {
  const all = new Set(names)
  const outermost = [...all].filter((name) => !covers(all, above(name), above))
  return Object.freeze(outermost.sort(byCodeUnit))
}

/** What both cover, of covers that `widest` has made. */
export function intersectCovers(
  [one, other]: readonly [readonly string[], readonly string[]],
  above: Above,
): readonly string[] {
  if (one === other) return one
  const ones = new Set(one)
  const others = new Set(other)
  const both = [
    ...one.filter((name) => covers(others, name, above)),
    ...other.filter((name) => covers(ones, name, above)),
  ]
  return widest(both, above)
}

function covers(
  names: ReadonlySet<string>,
  name: string | undefined,
  above: Above,
): boolean {
  let here = name
  while (here !== undefined) {
    if (names.has(here)) return true
    here = above(here)
  }
  return false
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : 1
}

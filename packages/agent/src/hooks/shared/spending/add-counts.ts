/**
 * Adds counts of the same names. What a provider tells can be any number, and
 * a sum that is none could not be kept.
 */
export function addCounts<T extends { readonly [K in keyof T]: number }>(
  one: T,
  other: T,
): T {
  const sums = Object.entries<number>(other).map(([name, count]) => {
    const before = one[name as keyof T] // both have the same names
    return [name, Math.min(before + count, Number.MAX_VALUE)]
  })
  return Object.fromEntries(sums)
}
